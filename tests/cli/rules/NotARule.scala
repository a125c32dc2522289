package rules

object NotARule {
  def apply(plan: String): String = plan
}
