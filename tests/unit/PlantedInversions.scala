package planted.run

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.sql.assay.probes.Inversions

import planted.{Branches, Pair}

/** Inverts each conditional of the planted class in turn, and prints as JSON what its methods return then; with arguments,
 *  it loads all classes of the optimizer and the classes that it is given instead. */
object PlantedInversions {
  private val json = new ObjectMapper

  def main(arguments: Array[String]): Unit = {
    val whole = if (arguments.isEmpty) "" else "org.apache.spark.sql.catalyst.optimizer.Optimizer"
    val problems = Inversions.begin(whole, arguments.mkString("\n"), "planted.Branches")
    val all = json.readTree(Inversions.conditionals())
    val told = new java.util.LinkedHashMap[String, Any]
    told.put("conditionals", all)
    told.put("base", results())
    told.put("runs", Inversions.take().length)
    told.put("inverted", if (arguments.nonEmpty) Array.empty[Any] else (0 until all.size).map { number =>
      Inversions.invert(number)
      try results() finally Inversions.invert(-1)
    }.toArray)
    told.put("after", results())
    told.put("problems", problems + Inversions.problems() + (if (arguments.isEmpty) "" else loadAll(all)))
    println(json.writeValueAsString(told))
  }

  private def results(): Array[String] = Seq[() => Any](
    () => Branches.choose(first = true), () => Branches.choose(first = false), () => Branches.loop(3), () => Branches.loop(0),
    () => Branches.made(first = true), () => Branches.matched("text"), () => Branches.matched(Pair(1))).map { each =>
    try each().toString catch { case raised: Throwable => raised.getClass.getSimpleName }
  }.toArray

  private def loadAll(all: com.fasterxml.jackson.databind.JsonNode): String = {
    val classes = scala.collection.mutable.LinkedHashSet.empty[String]
    all.forEach(each => classes += each.get("class").asText)
    classes.toSeq.flatMap { name =>
      try { Class.forName(name, true, getClass.getClassLoader); None } catch { case fault: Throwable => Some(s"$name: $fault") }
    }.mkString("\n")
  }
}
