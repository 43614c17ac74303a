// Names as people see them, which can differ from their bytes: "Ann" and "Ann ", "é" in two ways.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// One form for all names that look like this one: composed (NFC), without invisible characters,
/// and with one blank for any run of blanks and none at the ends. Empty for a name that can't be
/// seen at all. Bytes that aren't UTF-8 stay as they are.
std::string as_seen(std::string_view name);

/// A sentence for each name that looks like an earlier one but isn't the same to the letter.
std::vector<std::string> faults_of_looks(std::span<const std::string> names);

}  // namespace cli
}  // namespace snl
