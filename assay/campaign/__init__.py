"""The campaign: rounds until a budget ends, over workers that may die, each round kept in the ledger."""
