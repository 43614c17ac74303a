// Names as people see them, which are other than their bytes: "Ann" and "Ann ", "é" in two ways.
#pragma once

#include <optional>
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

/// What is wrong with names that are chosen beside each other, a sentence each: two look the same.
/// Two that are the same to the letter aren't told of here.
std::vector<std::string> faults_of_looks(std::span<const std::string> names);

}  // namespace cli
}  // namespace snl
