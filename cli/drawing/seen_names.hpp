// Names as people see them, which are other than their bytes: "Ann" and "Ann ", "é" in two ways.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The name in one form for all that look like it: composed (NFC), without what can't be seen, a
/// blank for any run of blanks, none at its ends. Empty for a name that can't be seen at all. What
/// isn't UTF-8 stays as it is.
std::string as_seen(std::string_view name);

/// A sentence for each name that looks like an earlier one without being the same to the letter.
std::vector<std::string> faults_of_looks(std::span<const std::string> names);

}  // namespace cli
}  // namespace snl
