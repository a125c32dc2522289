package assay

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.assay.Switches

/** To be set as `spark.sql.extensions`: injects the rules of `spark.assay.rules` and of the extensions of
 *  `spark.assay.extensions`, each behind a switch, and after them the reference operators. */
class SwitchExtensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = Switches.fill(extensions)
}

object SwitchExtensions {
  /** Why rules were not loaded, one line each; Spark itself only logs what an extension throws. */
  def errors(): Array[String] = Switches.errors

  /** The rules that were loaded, as `name=class@point`. */
  def loaded(): Array[String] = Switches.loaded
}
