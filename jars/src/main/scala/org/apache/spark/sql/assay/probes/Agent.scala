package org.apache.spark.sql.assay.probes

import java.lang.instrument.Instrumentation

/** The Java agent: a JVM that starts with it can have probes in its classes. By itself it changes no class. */
object Agent {
  @volatile private var held = Option.empty[Instrumentation]

  /** Called by the JVM before its main class; `arguments` are what stands behind = in `-javaagent`. */
  def premain(arguments: String, instrumentation: Instrumentation): Unit = held = Some(instrumentation)

  /** The instrumentation that the JVM gave to the agent; None in a JVM that was started without it. */
  def instrumentation: Option[Instrumentation] = held
}
