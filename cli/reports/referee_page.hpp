// What a referee reads of an audit: a page in plain words, the verdict first.
#pragma once

#include "storage/audit.hpp"

#include <optional>
#include <string>

namespace snl::cli {

/// How a page is drawn.
struct PageStyle {
  bool colour = false;
  int columns = 80;  // as wide as a line may be, 40 at least
};

/// The page of one game. What the log tells is told up to the first bad record: what comes after it
/// is no evidence. `expected` is the head that was kept elsewhere, if one was given.
std::string referee_page(const AuditReport& report, EventStore& store, const std::string& game,
                         const std::optional<Hash>& expected, const PageStyle& style);

/// The page of a whole store. `is_expected`: its head was compared with one that was kept
/// elsewhere.
std::string referee_page(const AuditReport& report, EventStore& store, const std::string& path,
                         bool is_expected, const PageStyle& style);

/// The page of a store that isn't sound, or can't be read at all.
std::string referee_page(const AuditReport& report, const std::string& path,
                         const PageStyle& style);

}  // namespace snl::cli
