package org.apache.spark.sql.assay

import java.util.{Collections, Map => JavaMap, WeakHashMap}

/** The session confs of the leg that is under way, and what was there before; one leg at a time in a session. */
private[assay] object LegConf {
  import Release.Session

  /** Plans are compared as text, so nothing in them may be cut short. */
  private val Uncut =
    Seq("spark.sql.maxMetadataStringLength" -> "1000000", "spark.sql.debug.maxToStringFields" -> "100000")

  private val before = Collections.synchronizedMap(new WeakHashMap[Session, Seq[(String, Option[String])]])

  /** @throws org.apache.spark.sql.AnalysisException a conf is static; then nothing has changed */
  def set(session: Session, conf: JavaMap[String, String]): Unit = {
    restore(session)
    Uncut.foreach { case (key, value) => if (!conf.containsKey(key)) put(session, key, value) }
    try conf.forEach((key, value) => put(session, key, value)) catch {
      case e: Throwable =>
        restore(session)
        throw e
    }
  }

  def restore(session: Session): Unit = Option(before.remove(session)).foreach(_.foreach {
    case (key, Some(value)) => session.conf.set(key, value)
    case (key, None) => session.conf.unset(key)
  })

  private def put(session: Session, key: String, value: String): Unit = {
    val conf = session.sessionState.conf
    val old = if (conf.contains(key)) Some(conf.getConfString(key)) else None
    // A setting that has this value already need not be put back: most legs run as the session does.
    if (!old.contains(value)) {
      session.conf.set(key, value)
      before.merge(session, Seq(key -> old), (first, more) => more ++ first)
    }
  }
}
