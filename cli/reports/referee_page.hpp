// A page on an audit for a referee, in plain words, the verdict first.
#pragma once

#include "storage/audit.hpp"

#include <optional>
#include <string>

namespace snl::cli {

/// The meaning of the p-value of dice for a person who has to decide: a sentence without its full
/// stop. `p` (0 to 1) is the chance that fair dice fall at least as unevenly (DiceFalls::p_value).
std::string verdict_on_dice(double p);

struct PageStyle {
  bool colour = false;
  int columns = 80;         // the most columns of a line, at least 40
  std::string snl = "snl";  // the beginning of the commands that it advises
};

/// Where the log of a game has a head that was kept elsewhere.
struct KeptHead {
  std::optional<Version> version;  // none if no proven version has it
  std::string words;               // for somebody whose game has another head now
};

/// Looks through the game's log up to the first bad record.
KeptHead find_kept_head(const AuditReport& report, StoreReader& store, const std::string& game,
                        const Hash& expected);

/// The page of one game. It covers the log up to the first bad record, since nothing after that is
/// evidence. `expected` is a head that was kept elsewhere, if any; the audit has compared it.
std::string game_referee_page(const AuditReport& report, StoreReader& store,
                              const std::string& game, const std::optional<Hash>& expected,
                              const PageStyle& style);

std::string store_referee_page(const AuditReport& report, StoreReader& store,
                               const std::string& path, const std::optional<Hash>& expected,
                               const PageStyle& style);

/// The page of a store that isn't sound, or can't be read at all.
std::string unsound_store_page(const AuditReport& report, const std::string& path,
                               const PageStyle& style);

}  // namespace snl::cli
