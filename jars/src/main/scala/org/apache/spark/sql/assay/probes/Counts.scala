package org.apache.spark.sql.assay.probes

import java.lang.invoke.MethodHandles

import org.apache.xbean.asm9.{ClassWriter, Opcodes}

/** The array that probes count in. It is a static final field, which Scala can't write, so that the JVM's compilers take
 *  it for a constant: the class with it is made here. Counts of threads that meet may be lost, but never all of them. */
private[probes] object Counts {
  val ClassName: String = getClass.getPackage.getName.replace('.', '/') + "/CountsHolder"
  val Field = "counts"

  /** An array of so many counts; to be called once. */
  def make(size: Int): Array[Int] =
    MethodHandles.lookup().defineClass(holder(size)).getField(Field).get(null).asInstanceOf[Array[Int]]

  private def holder(size: Int): Array[Byte] = {
    val made = new ClassWriter(ClassWriter.COMPUTE_MAXS)
    made.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, ClassName, null, "java/lang/Object", null)
    made.visitField(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, Field, "[I", null, null).visitEnd()
    val start = made.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null)
    start.visitCode()
    start.visitLdcInsn(Integer.valueOf(size))
    start.visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_INT)
    start.visitFieldInsn(Opcodes.PUTSTATIC, ClassName, Field, "[I")
    start.visitInsn(Opcodes.RETURN)
    start.visitMaxs(0, 0)
    start.visitEnd()
    made.visitEnd()
    made.toByteArray
  }
}
