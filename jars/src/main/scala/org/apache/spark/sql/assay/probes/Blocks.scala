package org.apache.spark.sql.assay.probes

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.{ClassReader, Opcodes}
import org.apache.xbean.asm9.tree.{AbstractInsnNode, ClassNode, InsnNode, JumpInsnNode, LabelNode, LineNumberNode, LookupSwitchInsnNode, MethodInsnNode, MethodNode, TableSwitchInsnNode, TypeInsnNode}

/** A basic block: its first instruction, the lines of its text, and why no query should run it, if that can be seen
 *  from its code. */
private[probes] final case class Block(first: AbstractInsnNode, lines: Seq[Int], unreachable: String)

/** A method that has a text, with its blocks in the order of the class file. */
private[probes] final case class MethodBlocks(method: MethodNode, blocks: Seq[Block])

/** The basic blocks of a class. The order depends on nothing but the class file. */
private[probes] object Blocks {
  val NoCase = "no case is left: MatchError"
  val Internal = "raises an internal error"
  val Dead = "dead code"

  def read(bytes: Array[Byte]): ClassNode = {
    val node = new ClassNode
    new ClassReader(bytes).accept(node, 0)
    node
  }

  def of(owner: ClassNode): Seq[MethodBlocks] =
    owner.methods.asScala.toSeq.filterNot(CompilerMade.is(owner, _)).map(method => MethodBlocks(method, in(method)))

  /** Where an instruction may go on other than behind itself. */
  def targets(each: AbstractInsnNode): Seq[LabelNode] = each match {
    case jump: JumpInsnNode => Seq(jump.label)
    case switch: TableSwitchInsnNode => switch.labels.asScala.toSeq :+ switch.dflt
    case switch: LookupSwitchInsnNode => switch.labels.asScala.toSeq :+ switch.dflt
    case _ => Nil
  }

  private def in(method: MethodNode): Seq[Block] = {
    val all = method.instructions.iterator.asScala.toList
    val starts = (all.flatMap(targets) ++ method.tryCatchBlocks.asScala.map(_.handler)).toSet
    val found = mutable.ArrayBuffer.empty[mutable.ArrayBuffer[AbstractInsnNode]]
    val lines = mutable.ArrayBuffer.empty[mutable.LinkedHashSet[Int]]
    var line = 0
    var begins = true
    all.foreach {
      case label: LabelNode => begins ||= starts(label)
      case number: LineNumberNode => line = number.line
      case each if each.getOpcode >= 0 =>
        if (begins) {
          found += mutable.ArrayBuffer.empty
          lines += mutable.LinkedHashSet.empty
        }
        found.last += each
        if (line > 0) lines.last += line
        begins = targets(each).nonEmpty || isEnd(each)
      case _ => ()
    }
    found.toSeq.zip(lines).map { case (body, own) => Block(body.head, own.toSeq.sorted, unreachable(body.toSeq)) }
  }

  private def isEnd(each: AbstractInsnNode): Boolean = each match {
    case plain: InsnNode => plain.getOpcode == Opcodes.ATHROW || plain.getOpcode >= Opcodes.IRETURN && plain.getOpcode <= Opcodes.RETURN
    case _ => false
  }

  private def unreachable(body: Seq[AbstractInsnNode]): String =
    if (body.exists { case made: TypeInsnNode => made.getOpcode == Opcodes.NEW && made.desc == "scala/MatchError"; case _ => false }) NoCase
    else if (body.exists { case call: MethodInsnNode => call.name == "internalError"; case _ => false }) Internal
    else if (body.forall(each => each.getOpcode == Opcodes.NOP || each.getOpcode == Opcodes.ATHROW) && body.exists(_.getOpcode == Opcodes.NOP)) Dead
    else ""
}
