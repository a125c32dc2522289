package org.apache.spark.sql.assay

import java.util.concurrent.{ConcurrentHashMap, ConcurrentSkipListSet}
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkEnv
import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.rules.Rule

/** Which rules were asked for by `spark.assay.rules` and `spark.assay.extensions`, which of them were
 *  loaded, and why the others were not. One for the JVM: both keys are static. */
object Switches {
  val Rules = "spark.assay.rules"
  val Extensions = "spark.assay.extensions"

  private val problems = new ConcurrentSkipListSet[String]
  private val lines = new ConcurrentSkipListSet[String]
  @volatile private var slots = Seq.empty[Slot]
  @volatile private var lastRules = Seq.empty[Slot]

  def errors: Array[String] = problems.toArray(Array.empty[String])

  /** `name=class@point`, sorted. A rule of an extension appears once a session has built it. */
  def loaded: Array[String] = lines.toArray(Array.empty[String])

  /** Makes every rule once, at whatever point, so that [[errors]] are complete. */
  def attemptAll(session: SparkSession): Unit = slots.foreach(_.attempt(session))

  /** The slots of the point `experimental`, which Spark's extensions don't have. */
  def experimental: Seq[Slot] = lastRules

  /** Injects what the static confs ask for; called once for each application. */
  def fill(target: SparkSessionExtensions): Unit = {
    problems.clear()
    lines.clear()
    slots = Nil
    lastRules = Nil
    val conf = SparkEnv.get.conf
    conf.get(Extensions, "").split(",").map(_.trim).filter(_.nonEmpty).foreach(extend(_, target))
    val taken = new ConcurrentHashMap[String, String]
    RuleEntry.parseAll(conf.get(Rules, "")).map(_.flatMap(free(taken, _)).flatMap(list(_, target)))
      .foreach(_.left.foreach(problems.add))
    target.injectPlanNormalizationRule(_ => ReferenceOperators)
    target.injectPlanNormalizationRule(_ => InterpretedFunctions)
    target.injectPlannerStrategy(_ => ReferenceStrategy)
  }

  private def free(taken: ConcurrentHashMap[String, String], entry: RuleEntry): Either[String, RuleEntry] =
    Option(taken.putIfAbsent(entry.name, entry.place))
      .map(other => s"two rules are called ${entry.name}: $other and ${entry.place}").toLeft(entry)

  private def list(entry: RuleEntry, target: SparkSessionExtensions): Either[String, Unit] =
    RuleLoader.find(entry.className, entry.point.kind).map { maker =>
      lines.add(s"${entry.name}=${entry.place}")
      val slot = new Slot(entry.on, _ => entry.name,
        session => RuleLoader.attempt(entry.className)(maker(session)), problems.add(_))
      slots :+= slot
      entry.point.inject(target, slot)
      if (entry.point == Point.Experimental) lastRules :+= slot
    }

  private def extend(className: String, target: SparkSessionExtensions): Unit =
    RuleLoader.find(className, RuleKind.Extension).flatMap { maker =>
      RuleLoader.attempt(className) {
        val extension = maker(null).asInstanceOf[SparkSessionExtensions => Unit]
        extension(new SwitchedExtensions(inject(className, target, new AtomicInteger), target))
      }
    }.left.foreach(problems.add)

  /** A rule of an extension is called as its class, so that one switch turns it off wherever it was injected;
   *  a function without a class of its own is called by the extension and its place in it. */
  private def inject(extension: String, target: SparkSessionExtensions, counter: AtomicInteger)(
      point: Point, builder: SparkSession => AnyRef): Unit = {
    val number = counter.incrementAndGet()
    def name(rule: AnyRef): String = rule match {
      case named: Rule[_] => named.ruleName
      case lambda if lambda.getClass.isSynthetic || lambda.getClass.isHidden => s"$extension.${point.name}.$number"
      case other => other.getClass.getName.stripSuffix("$")
    }
    def make(session: SparkSession): Either[String, AnyRef] = {
      val made = RuleLoader.attempt(extension)(builder(session))
      made.foreach(rule => lines.add(s"${name(rule)}=$extension@${point.name}"))
      made
    }
    val slot = new Slot(true, name, make, problems.add(_))
    slots :+= slot
    point.inject(target, slot)
  }
}
