// Proving that a log is whole. What each check proves, and what none can, is said in
// storage/proving.md, "Audit".
//
// game_verifier.hpp proves one game, branch_point_check.hpp where branches begin, fairness.hpp
// counts dice.
#pragma once

#include "event_store.hpp"
#include "fairness.hpp"
#include "problem.hpp"
#include "transparency/log_audit.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

struct AuditReport {
  std::int64_t games = 0;
  std::int64_t turns = 0;    // in force
  std::optional<Hash> head;  // of the game, or of the store; none if it can't be told
  std::vector<Problem> problems;
  std::int64_t unproven_origins = 0;  // branches that left a game which the store doesn't hold so
  Fairness fairness;
  std::optional<transparency::LogAudit> log;  // of a whole store that has one
  bool ok() const { return problems.empty(); }
};

// An audit is of one moment, whoever plays on meanwhile: the one of the snapshot, or one of now.

/// Audits one game: its log, and its derived rows against what the log folds to. A game that isn't
/// there has no report.
std::optional<AuditReport> audit_game(ReadTransaction& store, const std::string& game);
std::optional<AuditReport> audit_game(StoreReader& store, const std::string& game);

/// Audits every game, in the order of their IDs. However many branches there are, each commit is
/// read and decided once.
AuditReport audit_store(ReadTransaction& store);
AuditReport audit_store(StoreReader& store);

/// Adds the problem that `report` has another head than the one that was kept elsewhere.
void expect_head(AuditReport& report, const Hash& expected, std::optional<std::string> game);

}  // namespace snl
