package org.apache.spark.sql.assay

import java.util.{LinkedHashMap, TreeMap}

import scala.collection.mutable

import org.apache.spark.sql.catalyst.plans.QueryPlan

/** The plans that one rule was given, leg by leg, over the whole session: their types of nodes, and their forms. */
private[assay] final class PlansSeen {
  private val nodes = mutable.HashMap.empty[String, Int]
  private val shapes = mutable.HashMap.empty[String, Int]
  private val inLeg = mutable.HashSet.empty[String]
  private var legs = 0

  def newLeg(): Unit = synchronized(inLeg.clear())

  /** The form of a leg's first plan is kept, and each type of node once a leg. */
  def see(plan: QueryPlan[_]): Unit = synchronized {
    if (inLeg.isEmpty) {
      legs += 1
      add(shapes, PlansSeen.shape(plan))
    }
    val names = plan.collectWithSubqueries { case node => PlansSeen.name(node) }
    names.foreach(name => if (inLeg.add(name)) add(nodes, name))
  }

  private def add(counts: mutable.HashMap[String, Int], what: String): Unit =
    counts.update(what, counts.getOrElse(what, 0) + 1)

  /** `legs`, `nodes` (type to number of legs) and the most frequent `shapes`. */
  def asMap(mostShapes: Int): LinkedHashMap[String, Any] = synchronized {
    val all = new LinkedHashMap[String, Any]
    val (counted, frequent) = (new TreeMap[String, Int], new LinkedHashMap[String, Int])
    nodes.foreach { case (name, count) => counted.put(name, count) }
    shapes.toSeq.sortBy { case (shape, count) => (-count, shape) }.take(mostShapes)
      .foreach { case (shape, count) => frequent.put(shape, count) }
    all.put("legs", legs)
    all.put("nodes", counted)
    all.put("shapes", frequent)
    all
  }
}

private[assay] object PlansSeen {
  private def name(node: Any): String = node.getClass.getSimpleName.stripSuffix("$")

  /** `Project(Filter(Relation))`: types of nodes only. */
  def shape(plan: QueryPlan[_]): String = {
    val children = plan.children.collect { case child: QueryPlan[_] => shape(child) }
    name(plan) + (if (children.isEmpty) "" else children.mkString("(", ", ", ")"))
  }
}
