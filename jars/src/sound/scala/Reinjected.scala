package assay.sound

import org.apache.spark.sql.catalyst.optimizer._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** One of Spark's own rules under another name: sound, as far as Spark is. The original is off on both legs.
 *
 *  Rules with known divergences of their own are left out, and so are those without which queries can't be planned.
 *  PropagateEmptyRelation stays behind the others, as in Spark: between them it makes plans of which FoldablePropagation
 *  makes wrong ones (a literal in the place of a column that Generate gives out).
 */
sealed abstract class Reinjected(original: Rule[LogicalPlan]) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = original(plan)
}

/** @rule BooleanSimplification @point optimizer */
object ReinjectedBooleanSimplification extends Reinjected(BooleanSimplification)

/** @rule CollapseProject @point optimizer */
object ReinjectedCollapseProject extends Reinjected(CollapseProject)

/** @rule ColumnPruning @point optimizer */
object ReinjectedColumnPruning extends Reinjected(ColumnPruning)

/** @rule CombineFilters @point optimizer */
object ReinjectedCombineFilters extends Reinjected(CombineFilters)

/** @rule CombineUnions @point optimizer */
object ReinjectedCombineUnions extends Reinjected(CombineUnions)

/** @rule ConvertToLocalRelation @point optimizer */
object ReinjectedConvertToLocalRelation extends Reinjected(ConvertToLocalRelation)

/** @rule EliminateDistinct @point optimizer */
object ReinjectedEliminateDistinct extends Reinjected(EliminateDistinct)

/** @rule EliminateLimits @point optimizer */
object ReinjectedEliminateLimits extends Reinjected(EliminateLimits)

/** @rule EliminateOuterJoin @point optimizer */
object ReinjectedEliminateOuterJoin extends Reinjected(EliminateOuterJoin)

/** @rule EliminateSorts @point optimizer */
object ReinjectedEliminateSorts extends Reinjected(EliminateSorts)

/** @rule LimitPushDown @point optimizer */
object ReinjectedLimitPushDown extends Reinjected(LimitPushDown)

/** @rule NullPropagation @point optimizer */
object ReinjectedNullPropagation extends Reinjected(NullPropagation)

/** @rule OptimizeIn @point optimizer */
object ReinjectedOptimizeIn extends Reinjected(OptimizeIn)

/** @rule PropagateEmptyRelation @point experimental */
object ReinjectedPropagateEmptyRelation extends Reinjected(PropagateEmptyRelation)

/** @rule PushDownLeftSemiAntiJoin @point optimizer */
object ReinjectedPushDownLeftSemiAntiJoin extends Reinjected(PushDownLeftSemiAntiJoin)

/** @rule PushPredicateThroughJoin @point optimizer */
object ReinjectedPushPredicateThroughJoin extends Reinjected(PushPredicateThroughJoin)

/** @rule PushPredicateThroughNonJoin @point optimizer */
object ReinjectedPushPredicateThroughNonJoin extends Reinjected(PushPredicateThroughNonJoin)

/** @rule PushProjectionThroughUnion @point optimizer */
object ReinjectedPushProjectionThroughUnion extends Reinjected(PushProjectionThroughUnion)

/** @rule RemoveLiteralFromGroupExpressions @point optimizer */
object ReinjectedRemoveLiteralFromGroupExpressions extends Reinjected(RemoveLiteralFromGroupExpressions)

/** @rule RemoveNoopUnion @point plan-normalization */
object ReinjectedRemoveNoopUnion extends Reinjected(RemoveNoopUnion)

/** @rule RemoveRepetitionFromGroupExpressions @point optimizer */
object ReinjectedRemoveRepetitionFromGroupExpressions extends Reinjected(RemoveRepetitionFromGroupExpressions)

/** @rule ReorderJoin @point optimizer */
object ReinjectedReorderJoin extends Reinjected(ReorderJoin)

/** @rule ReplaceDeduplicateWithAggregate @point plan-normalization */
object ReinjectedReplaceDeduplicateWithAggregate extends Reinjected(ReplaceDeduplicateWithAggregate)

/** @rule ReplaceDistinctWithAggregate @point plan-normalization */
object ReinjectedReplaceDistinctWithAggregate extends Reinjected(ReplaceDistinctWithAggregate)

/** @rule ReplaceExceptWithAntiJoin @point plan-normalization */
object ReinjectedReplaceExceptWithAntiJoin extends Reinjected(ReplaceExceptWithAntiJoin)

/** @rule ReplaceIntersectWithSemiJoin @point plan-normalization */
object ReinjectedReplaceIntersectWithSemiJoin extends Reinjected(ReplaceIntersectWithSemiJoin)

/** @rule SimplifyBinaryComparison @point optimizer */
object ReinjectedSimplifyBinaryComparison extends Reinjected(SimplifyBinaryComparison)

/** @rule SimplifyCasts @point optimizer */
object ReinjectedSimplifyCasts extends Reinjected(SimplifyCasts)
