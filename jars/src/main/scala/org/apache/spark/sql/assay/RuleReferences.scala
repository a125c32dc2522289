package org.apache.spark.sql.assay

import java.lang.reflect.Modifier
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.util.{Arrays, List => JavaList, Map => JavaMap, TreeMap}
import java.util.regex.Pattern

import scala.collection.mutable
import scala.util.matching.Regex

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.util.Utils

/** The names that a rule's class mentions: in its class file, in those nested in it, and in those of its package that
 *  it uses, unless the package is one of Spark's. */
private[assay] object RuleReferences {
  import Release.Session

  private val Catalyst = "org/apache/spark/sql/catalyst/"
  private val Sources = "org/apache/spark/sql/execution/datasources/v2/"
  private val Operator = (Catalyst + """plans/logical/(\w+)""").r
  private val OfSource = (Sources + """(\w+)""").r
  private val Extractor = (Catalyst + """(?:plans/logical|planning)/(\w+)""").r
  private val Node = (Catalyst + """expressions/((?:\w+/)?\w+)""").r
  private val JoinType =
    (Catalyst + """plans/(InnerLike|Inner|Cross|LeftOuter|RightOuter|FullOuter|LeftSemi|LeftAnti|ExistenceJoin)\b""").r
  private val Type = """org/apache/spark/sql/types/(\w+Type)\b""".r
  private val Constant = """\b(TrueLiteral|FalseLiteral)\b""".r
  private val Literal = (Catalyst + """expressions/(\w+Literal)\b""").r

  /** Packages of Spark's in which a rule has helpers of its own; those of the optimizer's package serve many rules. */
  private val OfFewRules = """org/apache/spark/sql/execution/(?:\w+)/""".r

  /** A rule that mentions fewer operators acts where the rules of Spark's act that it applies, if it applies any. */
  private val Few = 2

  /** Simple names, sorted, by what they name; none where the class files can't be read: `operators` that a plan can have,
   *  `extractors` that take plans apart, `expressions` (abstract ones, too), `functions` (the SQL names of these
   *  expressions in `spark`), `joins` (types of joins), `types`, `literals` (extractors of constants), and
   *  `conf` (the keys of the configuration that it reads, or that rules of Spark's read that it applies). The names are
   *  those of these rules, too, if the class mentions few operators; the keys are also those that classes beside them
   *  read, which they use. */
  def all(spark: Session, className: String): JavaMap[String, JavaList[String]] = {
    val own = texts(className)
    val rules = appliedBy(own)
    val applied = rules.flatMap(name => texts(name.replace('/', '.'))).distinct
    val found = if (operatorsIn(own).length < Few) own ++ applied else own
    val expressions = names(found, Node).filter(name => isA(Catalyst + "expressions/" + name, classOf[Expression]))
    val classes = expressions.map(name => (Catalyst + "expressions/" + name).replace('/', '.')).toSet
    val registry = spark.sessionState.functionRegistry
    val functions = registry.listFunction().filter { function =>
      registry.lookupFunction(function).exists(info => classes.contains(info.getClassName))
    }.map(_.funcName).sorted
    val all = new TreeMap[String, JavaList[String]]
    Seq(
      "operators" -> operatorsIn(found),
      "extractors" -> extractorsIn(found),
      "expressions" -> expressions.map(_.split('/').last).distinct,
      "functions" -> functions.distinct,
      "joins" -> names(found, JoinType),
      "types" -> names(found, Type),
      "literals" -> (names(found, Constant) ++ names(found, Literal)).distinct,
      "conf" -> ConfReads.keys((own ++ applied ++ besideThem(rules)).map(_.getBytes(ISO_8859_1)))
    ).foreach { case (kind, named) => all.put(kind, Arrays.asList(named: _*)) }
    all
  }

  private def operatorsIn(found: Seq[String]): Seq[String] =
    operatorsOf(names(found, Operator), Catalyst + "plans/logical/") ++ operatorsOf(names(found, OfSource), Sources)

  private def operatorsOf(names: Seq[String], prefix: String): Seq[String] =
    names.filter(name => isA(prefix + name, classOf[LogicalPlan], concrete = true))

  private def extractorsIn(found: Seq[String]): Seq[String] = {
    val operators = operatorsIn(found).toSet
    names(found, Extractor).filter { name =>
      !operators(name) && Seq("plans/logical/", "planning/").exists(part => takesPlans(Catalyst + part + name + "$"))
    }
  }

  private def takesPlans(path: String): Boolean = try {
    Utils.classForName[AnyRef](path.replace('/', '.'), initialize = false).getMethods.exists { method =>
      method.getName == "unapply" && method.getParameterTypes.headOption.exists(classOf[LogicalPlan].isAssignableFrom)
    }
  } catch {
    case _: ClassNotFoundException | _: LinkageError => false
  }

  /** The rules of Spark's that `found` uses. */
  private def appliedBy(found: Seq[String]): Seq[String] = {
    val used = ConfReads.used(found.map(_.getBytes(ISO_8859_1)))
    used.filter(name => name.startsWith("org/apache/spark/") && isA(name, classOf[Rule[_]], concrete = true)).distinct
  }

  /** The class files that rules of Spark's use in their own packages, if few rules are there. */
  private def besideThem(rules: Seq[String]): Seq[String] = rules.flatMap { rule =>
    OfFewRules.findPrefixOf(rule).toSeq.flatMap { own =>
      val used = ConfReads.used(texts(rule.replace('/', '.')).map(_.getBytes(ISO_8859_1)))
      used.filter(name => name.startsWith(own) && name != rule)
    }
  }.distinct.flatMap(name => texts(name.replace('/', '.'))).distinct

  private def names(found: Seq[String], pattern: Regex): Seq[String] =
    found.flatMap(pattern.findAllMatchIn(_).map(_.group(1))).distinct.sorted

  /** The class files of the rule and of what belongs to it, as texts. */
  private def texts(className: String): Seq[String] = {
    val seen = mutable.HashSet.empty[String]
    val found = mutable.ListBuffer.empty[String]
    val path = className.stripSuffix("$").replace('.', '/')
    val parts = (Pattern.quote(path) + """\$[\w$]*""").r +: helpers(path).toSeq
    def read(name: String): Unit = if (seen.add(name)) {
      bytes(name).foreach { text =>
        found += text
        parts.foreach(_.findAllIn(text).foreach(read))
      }
    }
    read(path)
    read(path + "$")
    found.toSeq
  }

  /** The names of classes in the package of the class at `path`; a package of Spark's is no one's own. */
  private def helpers(path: String): Option[Regex] = {
    val own = path.take(path.lastIndexOf('/') + 1)
    if (own.isEmpty || own.startsWith("org/apache/spark/")) None else Some((Pattern.quote(own) + """[\w$]+""").r)
  }

  private def bytes(name: String): Option[String] =
    Option(Utils.getContextOrSparkClassLoader.getResourceAsStream(name + ".class")).map { stream =>
      try new String(stream.readAllBytes(), ISO_8859_1) finally stream.close()
    }

  private def isA(path: String, parent: Class[_], concrete: Boolean = false): Boolean = try {
    val found = Utils.classForName[AnyRef](path.replace('/', '.'), initialize = false)
    parent.isAssignableFrom(found) && !(concrete && Modifier.isAbstract(found.getModifiers))
  } catch {
    case _: ClassNotFoundException | _: LinkageError => false
  }
}
