package org.apache.spark.sql.assay

import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest
import java.util.HexFormat

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId, Expression, Literal, PlanExpression}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.connector.expressions.GeneralScalarExpression
import org.apache.spark.sql.execution.{InputAdapter, LocalTableScanExec, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.joins.BaseJoinExec
import org.apache.spark.sql.types.{DataType, StructType}

/** Plans as text that can be compared between two runs of one query. */
private[assay] object PlanText {
  /** Ids of expressions, plans, subqueries and RDDs: what a second run numbers differently. */
  private val Id = """#\d+|plan_id=\d+|\bRDD\[\d+\]|@[0-9a-f]{5,8}\b|\b_common_expr_\d+""".r
  /** Where the files are: `Location: InMemoryFileIndex(1 paths)[file:/…]`; what they are called says which table it is. */
  private val Location = """Location: [^\[\n]*\[(?:[^\]\n]*/)?([^/\]\n]*)\]""".r

  /** Spark's own text where it has one: 3.5.0 fails over what a cached table was made of, if rows are made of columns
   *  there. */
  def of(plan: QueryPlan[_]): String =
    try plan.treeString(verbose = false, maxFields = Int.MaxValue) catch { case NonFatal(_) => indented(plan, 0) }

  private def indented(plan: QueryPlan[_], depth: Int): String =
    " " * depth + line(plan) + "\n" + (inputs(plan) ++ subqueries(plan)).map(indented(_, depth + 1)).mkString

  /** Spark's own line where it has one: 4.3.0 fails over a DELETE by `contains(s, s)`: the sought text is no constant. */
  private def line(plan: QueryPlan[_]): String = try plan.simpleString(Int.MaxValue) catch {
    case NonFatal(_) => plan.nodeName + plan.productIterator.map(part).mkString("(", ", ", ")")
  }

  private def part(value: Any): String = value match {
    case _: QueryPlan[_] => ""
    case several: Array[_] => several.map(part).mkString("[", ", ", "]")
    case several: Seq[_] => several.map(part).mkString("[", ", ", "]")
    case predicate: GeneralScalarExpression => predicate.name + predicate.children.map(part).mkString("(", ", ", ")")
    case other => try String.valueOf(other) catch { case NonFatal(_) => other.getClass.getName }
  }

  /** The plan that ran, or would run first: under AQE, the wrapper also shows the initial plan. */
  def executed(plan: SparkPlan): String = of(first(plan))

  /** 16 hex digits of the plan that ran, or would run first: equal for plans that differ only in what a second run of
   *  one query numbers differently. */
  def fingerprint(plan: SparkPlan): String = digest(renumbered(executed(plan) + details(first(plan))) + rows(plan))

  /** 16 hex digits of the operators of the plan that ran, or would run first, subqueries' included: equal for plans that
   *  differ in columns, expressions, constants and tables alone. */
  def shape(plan: SparkPlan): String = digest(operators(plan))

  private def operators(plan: QueryPlan[_]): String = plan match {
    case adaptive: AdaptiveSparkPlanExec => operators(adaptive.executedPlan)
    case stage: QueryStageExec => operators(stage.plan)
    // How code is generated is drawn, not planned.
    case codegen: WholeStageCodegenExec => operators(codegen.child)
    case adapter: InputAdapter => operators(adapter.child)
    case other =>
      val kind = other match {
        case join: BaseJoinExec => join.joinType.getClass.getSimpleName
        case _ => ""
      }
      val below = inputs(other).map(operators).mkString(",")
      val beside = subqueries(other).map(operators).mkString(",")
      s"${other.getClass.getSimpleName}$kind($below;$beside)"
  }

  private def first(plan: SparkPlan): SparkPlan = plan match {
    case adaptive: AdaptiveSparkPlanExec => adaptive.executedPlan
    case other => other
  }

  /** The rows that a plan holds itself, in subqueries too: its text doesn't show them. */
  private def rows(plan: SparkPlan): String = shown(held(plan))

  private def held(plan: QueryPlan[_]): Seq[(StructType, Seq[InternalRow])] = nodes(plan).flatMap {
    case local: LocalTableScanExec => Seq((local.schema, local.rows))
    case _ => Nil
  }

  /** One form for any kind of row. */
  private def shown(relations: Seq[(StructType, Seq[InternalRow])]): String = relations.map { case (schema, rows) =>
    val project = MemoryTable.unsafe(schema)
    // A rule may have made rows that aren't of their schema: the plan is told apart all the same.
    try rows.map(row => project(row).toString).mkString(";") catch { case NonFatal(_) => rows.mkString(";") }
  }.mkString("|")

  /** `text` with its ids numbered in the order in which they appear, and without file locations. */
  def renumbered(text: String): String = {
    val numbers = mutable.HashMap.empty[String, Int]
    Id.replaceAllIn(Location.replaceAllIn(text, "Location $1"), found =>
      "#" + numbers.getOrElseUpdate(found.matched, numbers.size))
  }

  /** The expressions of a plan, node by node, those of subqueries' plans included, with what their text leaves out and
   *  their execution goes by. The text of a node need not show all of them: an aggregate's has no result expressions, and
   *  that of a limit with an order no projection. */
  private def details(plan: SparkPlan): String = {
    val text = new StringBuilder
    nodes(plan).foreach { node =>
      text.append('/')
      node.expressions.foreach { expression =>
        text.append(try expression.toString catch { case NonFatal(_) => expression.nodeName })
        expression.foreach(note(_, text))
      }
      columns(node).foreach(note(_, text))
    }
    text.toString
  }

  /** A rule may have made an operator that knows no columns: a join by hash has none for a full join. It is told apart all
   *  the same, and raises when it runs. */
  private def columns(node: QueryPlan[_]): Seq[Attribute] = try node.output catch { case NonFatal(_) => Nil }

  /** Which attributes may be NULL, and types, flags and modes: `a + b` and `try_add(a, b)` have the same text. */
  private def note(expression: Expression, text: StringBuilder): Unit = expression match {
    case attribute: Attribute => text.append(if (attribute.nullable) '?' else '!')
    case literal: Literal => text.append(':').append(literal.dataType)
    case other =>
      text.append('<').append(other.nodeName)
      other.productIterator.foreach(flag(_, text, deep = true))
  }

  private def flag(value: Any, text: StringBuilder, deep: Boolean): Unit = value match {
    // The type of a struct is a sequence, too.
    case _: Boolean | _: DataType | _: Enumeration#Value => text.append(',').append(value)
    case _: TreeNode[_] | _: ExprId | _: Iterable[_] => ()
    case Some(inner) => flag(inner, text, deep)
    case mode: Product if mode.productArity == 0 => text.append(',').append(mode)
    case context: Product if deep => context.productIterator.foreach(flag(_, text, deep = false))
    case _ => ()
  }

  /** `plan` and all below it, in subqueries and stages, too. */
  private def nodes(plan: QueryPlan[_]): Seq[QueryPlan[_]] = plan match {
    case adaptive: AdaptiveSparkPlanExec => nodes(adaptive.executedPlan)
    case stage: QueryStageExec => nodes(stage.plan)
    case other => other +: (inputs(other) ++ subqueries(other)).flatMap(nodes)
  }

  private def inputs(plan: QueryPlan[_]): Seq[QueryPlan[_]] = plan.children.collect { case input: QueryPlan[_] => input }

  /** The plans of the subqueries in the expressions of `plan` itself: logical ones, where the planner left a subquery as
   *  it was, which Spark's own `subqueries` take for physical. */
  private def subqueries(plan: QueryPlan[_]): Seq[QueryPlan[_]] =
    plan.expressions.flatMap(_.collect { case subquery: PlanExpression[_] => subquery.plan })
      .collect { case inner: QueryPlan[_] => inner }

  /** 16 hex digits for a renumbered plan. */
  def digest(renumbered: String): String =
    HexFormat.of.formatHex(MessageDigest.getInstance("SHA-256").digest(renumbered.getBytes(UTF_8)), 0, 8)
}
