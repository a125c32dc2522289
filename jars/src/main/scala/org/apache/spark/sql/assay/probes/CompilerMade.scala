package org.apache.spark.sql.assay.probes

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.Opcodes
import org.apache.xbean.asm9.tree.{AbstractInsnNode, ClassNode, FieldInsnNode, InsnNode, MethodInsnNode, MethodNode, TypeInsnNode, VarInsnNode}

/** Which methods the Scala compiler has made by itself: they have no text of their own, so that no query aims at them. */
private[probes] object CompilerMade {
  private val OfCaseClasses = Set("copy", "canEqual", "hashCode", "equals", "toString", "readResolve", "writeReplace")
  private val Always = Set("$deserializeLambda$", "writeReplace", "readResolve", "<clinit>")
  private val Marked = Seq("$default$", "_setter_$", "$$super$")
  private val Specialized = """.*\$mc[A-Z]+\$sp""".r

  def is(owner: ClassNode, method: MethodNode): Boolean = {
    val name = method.name
    val body = instructions(method)
    body.isEmpty || (method.access & Opcodes.ACC_BRIDGE) != 0 || Always(name) || name.endsWith("$adapted") ||
      Marked.exists(mark => name.contains(mark)) || Specialized.pattern.matcher(name).matches ||
      ofCaseClass(owner, name) || ofCompanion(owner, method, body) || ofPartialFunction(owner, name) ||
      isLazyAccessor(owner, name) || isConstructor(owner, method) || isAccessor(body, method) || isForwarder(name, body)
  }

  /** The instructions of a method without labels, lines and frames. */
  def instructions(method: MethodNode): Seq[AbstractInsnNode] =
    method.instructions.iterator.asScala.filter(_.getOpcode >= 0).toList

  private def has(owner: ClassNode, name: String): Boolean = owner.methods.asScala.exists(_.name == name)

  private def ofCaseClass(owner: ClassNode, name: String): Boolean =
    has(owner, "productElement") && (OfCaseClasses(name) || name.startsWith("product"))

  /** `apply` and `unapply` of a case class's companion, and its text as a function. */
  private def ofCompanion(owner: ClassNode, method: MethodNode, body: Seq[AbstractInsnNode]): Boolean = {
    val itself = s"L${owner.name.stripSuffix("$")};"
    owner.name.endsWith("$") && (method.name match {
      case "unapply" => method.desc.startsWith(s"($itself)")
      case "apply" => method.desc.endsWith(s")$itself") && !body.exists(isBranch) && body.exists(_.getOpcode == Opcodes.NEW)
      case "toString" => owner.superName.startsWith("scala/runtime/AbstractFunction")
      case _ => false
    })
  }

  /** The same patterns as in `applyOrElse`, which is what trees call. */
  private def ofPartialFunction(owner: ClassNode, name: String): Boolean =
    name == "isDefinedAt" && owner.superName == "scala/runtime/AbstractPartialFunction"

  private def isLazyAccessor(owner: ClassNode, name: String): Boolean = has(owner, name + "$lzycompute")

  /** Constructors that only set fields, and those of objects, which run once, perhaps before anything is counted. */
  private def isConstructor(owner: ClassNode, method: MethodNode): Boolean =
    method.name == "<init>" &&
      (owner.fields.asScala.exists(_.name == "MODULE$") || !instructions(method).exists(isBranch)) ||
      method.name == "$init$"

  private def isAccessor(body: Seq[AbstractInsnNode], method: MethodNode): Boolean = {
    val fields = body.collect { case field: FieldInsnNode => field }
    fields.size == 1 && body.size <= (if (method.name.endsWith("_$eq")) 4 else 3) &&
      body.forall { case _: FieldInsnNode | _: VarInsnNode => true; case other => isReturn(other) }
  }

  /** A call of what has the same name elsewhere: a trait's method mixed into a class, an object's as a static one. */
  private def isForwarder(name: String, body: Seq[AbstractInsnNode]): Boolean = {
    val calls = body.collect { case call: MethodInsnNode => call.name }
    calls.size == 1 && (calls.head == name || calls.head == name + "$" || calls.head + "$" == name) && body.forall {
      case _: MethodInsnNode | _: VarInsnNode => true
      case field: FieldInsnNode => field.name == "MODULE$"
      case cast: TypeInsnNode => cast.getOpcode == Opcodes.CHECKCAST
      case other => isReturn(other)
    }
  }

  private def isReturn(each: AbstractInsnNode): Boolean = each match {
    case plain: InsnNode => plain.getOpcode >= Opcodes.IRETURN && plain.getOpcode <= Opcodes.RETURN
    case _ => false
  }

  private def isBranch(each: AbstractInsnNode): Boolean = Blocks.targets(each).nonEmpty
}
