// Proving that a log is whole. storage/proving.md, "Audit", says what each check proves, and what
// no check can.
//
// game_verifier.hpp proves one game, branch_point_check.hpp proves where branches begin, and
// fairness.hpp counts dice.
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
  std::int64_t turns = 0;    // in force: played and not undone
  std::optional<Hash> head;  // of the game, or of the store; none if it is unknown
  std::vector<Problem> problems;
  std::int64_t unproven_origins = 0;  // branches whose origin the store doesn't hold as they say
  Fairness fairness;
  std::optional<transparency::LogAudit> log;  // of a whole store with a log
  bool ok() const { return problems.empty(); }
};

// An audit shows one moment, even if others play on meanwhile: the transaction's moment, or now.

/// Audits one game: its log, and its derived rows against the fold of the log. None if there is no
/// such game.
std::optional<AuditReport> audit_game(ReadTransaction& store, const std::string& game);
std::optional<AuditReport> audit_game(StoreReader& store, const std::string& game);

/// Audits every game, in the order of their IDs. Each commit is read and decided once, however many
/// branches there are.
AuditReport audit_store(ReadTransaction& store);
AuditReport audit_store(StoreReader& store);

/// Adds a problem if `report` has another head than the one that was kept elsewhere.
void expect_head(AuditReport& report, const Hash& expected, std::optional<std::string> game);

}  // namespace snl
