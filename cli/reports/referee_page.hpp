// What a referee reads of an audit: a page in plain words, the verdict first.
#pragma once

#include "storage/audit.hpp"

#include <optional>
#include <string>

namespace snl::cli {

/// What the p-value of dice means to somebody who has to decide, as a sentence without its full
/// stop. `p` is the chance that fair dice fall at least as unevenly (DiceFalls::p_value), 0 to 1.
std::string verdict_on_dice(double p);

struct PageStyle {
  bool colour = false;
  int columns = 80;         // as wide as a line may be, 40 at least
  std::string snl = "snl";  // what commands begin with that are advised
};

/// The page of one game. What the log tells is told up to the first bad record: what comes after it
/// is no evidence. `expected` is the head that was kept elsewhere, if one was given; an audit has
/// compared it.
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
