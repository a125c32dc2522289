package planted.run

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.sql.assay.probes.Probes

import planted.{Branches, Pair}

/** Puts probes in, does what its first argument says, and prints as JSON what was counted. */
object PlantedRun {
  def main(arguments: Array[String]): Unit = {
    val json = new ObjectMapper
    if (arguments(0) == "before") Branches.choose(first = false)
    val whole = if (arguments(0) == "load") "org.apache.spark.sql.catalyst.optimizer.Optimizer" else ""
    val problems = Probes.begin(whole, arguments.drop(1).mkString("\n"), "planted.Branches")
    val failed = arguments(0) match {
      case "load" => loadAll(json)
      case each => run(each); ""
    }
    val counts = java.util.Base64.getEncoder.encodeToString(Probes.take())
    val again = Probes.take().length
    val told = new java.util.LinkedHashMap[String, Any]
    told.put("problems", problems + Probes.problems() + failed)
    told.put("blocks", json.readTree(Probes.blocks()))
    told.put("counts", counts)
    told.put("again", again)
    println(json.writeValueAsString(told))
  }

  private def run(each: String): Unit = each match {
    case "before" | "choose" => Branches.choose(first = true)
    case "pause" =>
      Branches.choose(first = true)
      Probes.pause()
      Branches.choose(first = false)
      Branches.choose(first = false)
    case "resume" =>
      Probes.pause()
      Branches.choose(first = false)
      Probes.resume()
      Branches.choose(first = true)
    case "loop" => Branches.loop(3)
    case "nothing" => ()
    case "all" =>
      Seq(true, false).foreach { first =>
        Branches.choose(first)
        Branches.made(first)
        Branches.eachMade(first)
      }
      Seq(0, 1).foreach(Branches.caught)
      Seq("text", Pair(1)).foreach(Branches.matched)
      Branches.loop(1)
      Branches.late
      Pair(1).copy(left = 2).toString
      ()
  }

  /** Classes are verified when they are initialized: every class with probes is. */
  private def loadAll(json: ObjectMapper): String = {
    val classes = scala.collection.mutable.ArrayBuffer.empty[String]
    json.readTree(Probes.blocks()).forEach(each => classes += each.get("class").asText)
    classes.flatMap { name =>
      try { Class.forName(name, true, getClass.getClassLoader); None } catch { case fault: Throwable => Some(s"$name: $fault") }
    }.mkString("\n")
  }
}
