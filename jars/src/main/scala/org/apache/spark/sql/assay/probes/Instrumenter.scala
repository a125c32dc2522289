package org.apache.spark.sql.assay.probes

import org.apache.xbean.asm9.{ClassWriter, Opcodes}
import org.apache.xbean.asm9.tree.{AbstractInsnNode, ClassNode, FieldInsnNode, InsnList, InsnNode, LdcInsnNode}

/** Puts a probe into each basic block of a class. A probe adds one to its place in [[Counts]], whatever is on the stack. */
private[probes] object Instrumenter {
  /** The class file of `owner`, whose blocks are then numbered from `first`; it has the same members as before, so that
   *  a class that is in use can become it. */
  def withProbes(owner: ClassNode, first: Int): Array[Byte] = {
    val blocks = Blocks.of(owner)
    val numbers = Iterator.from(first)
    blocks.foreach { case MethodBlocks(method, all) =>
      all.foreach(block => insert(method.instructions, block.first, probe(numbers.next())))
    }
    val writer = new ClassWriter(ClassWriter.COMPUTE_MAXS)
    owner.accept(writer)
    writer.toByteArray
  }

  /** A stack-map frame means by the offset of a NEW the object that it made: so nothing comes between a label and NEW. */
  private def insert(all: InsnList, first: AbstractInsnNode, probe: InsnList): Unit =
    if (first.getOpcode == Opcodes.NEW) all.insert(first, probe) else all.insertBefore(first, probe)

  private def probe(number: Int): InsnList = {
    val code = new InsnList
    code.add(new FieldInsnNode(Opcodes.GETSTATIC, Counts.ClassName, Counts.Field, "[I"))
    code.add(new LdcInsnNode(Integer.valueOf(number)))
    Seq(Opcodes.DUP2, Opcodes.IALOAD, Opcodes.ICONST_1, Opcodes.IADD, Opcodes.IASTORE).foreach(each => code.add(new InsnNode(each)))
    code
  }
}
