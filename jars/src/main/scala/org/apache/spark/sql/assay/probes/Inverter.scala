package org.apache.spark.sql.assay.probes

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.{ClassWriter, Opcodes}
import org.apache.xbean.asm9.tree.{AbstractInsnNode, ClassNode, InsnList, JumpInsnNode, LdcInsnNode, LineNumberNode, MethodInsnNode, MethodNode}

/** A conditional jump, and the line that it is in. */
private[probes] final case class Conditional(jump: JumpInsnNode, line: Int)

/** Has the conditional jumps of a class ask [[Conditionals]], so that each can be inverted while the class is in use. */
private[probes] object Inverter {
  private val Owner = "org/apache/spark/sql/assay/probes/Conditionals"
  private val (one, two) = ("(II)I", "(III)I")
  private val (any, anys) = ("(Ljava/lang/Object;I)I", "(Ljava/lang/Object;Ljava/lang/Object;I)I")

  private val Calls: Map[Int, (String, String)] = Map(
    Opcodes.IFEQ -> (("isZero", one)), Opcodes.IFNE -> (("isNotZero", one)),
    Opcodes.IFLT -> (("isNegative", one)), Opcodes.IFGE -> (("isNotNegative", one)),
    Opcodes.IFGT -> (("isPositive", one)), Opcodes.IFLE -> (("isNotPositive", one)),
    Opcodes.IF_ICMPEQ -> (("equal", two)), Opcodes.IF_ICMPNE -> (("notEqual", two)),
    Opcodes.IF_ICMPLT -> (("less", two)), Opcodes.IF_ICMPGE -> (("notLess", two)),
    Opcodes.IF_ICMPGT -> (("greater", two)), Opcodes.IF_ICMPLE -> (("notGreater", two)),
    Opcodes.IF_ACMPEQ -> (("same", anys)), Opcodes.IF_ACMPNE -> (("notSame", anys)),
    Opcodes.IFNULL -> (("isNull", any)), Opcodes.IFNONNULL -> (("isNotNull", any)))

  /** The conditionals of a method, in the order of the class file. */
  def in(method: MethodNode): Seq[Conditional] = {
    var line = 0
    method.instructions.iterator.asScala.flatMap { (each: AbstractInsnNode) =>
      each match {
        case number: LineNumberNode =>
          line = number.line
          scala.None
        case jump: JumpInsnNode if Calls.contains(jump.getOpcode) => Some(Conditional(jump, line))
        case _ => scala.None
      }
    }.toList
  }

  /** The class file of `owner` whose conditionals are numbered from `first`, with the same members as before. */
  def withCalls(owner: ClassNode, first: Int): Array[Byte] = {
    val numbers = Iterator.from(first)
    Blocks.of(owner).foreach { case MethodBlocks(method, _) =>
      in(method).foreach(each => replace(method.instructions, each.jump, numbers.next()))
    }
    val writer = new ClassWriter(ClassWriter.COMPUTE_MAXS)
    owner.accept(writer)
    writer.toByteArray
  }

  /** The jump stays where it is, so that no stack-map frame changes: it now tests what the call returned. */
  private def replace(all: InsnList, jump: JumpInsnNode, number: Int): Unit = {
    val (name, kind) = Calls(jump.getOpcode)
    val call = new InsnList
    call.add(new LdcInsnNode(Integer.valueOf(number)))
    call.add(new MethodInsnNode(Opcodes.INVOKESTATIC, Owner, name, kind, false))
    all.insertBefore(jump, call)
    jump.setOpcode(Opcodes.IFNE)
  }
}
