// A tool of the build: shorter names in the scripts that every page carries.
#pragma once

#include <string>
#include <string_view>

namespace snl::cli {

/// A script without comments, with short names for private members and for what const, let,
/// function and class declare, where such a name means nothing else anywhere: no property, no key,
/// no method. `Player` and `Game` keep theirs, for pages that use the script. Regular expressions
/// may have no quotes in them. It doesn't know scopes and needn't: a name becomes the same short
/// one everywhere.
std::string with_short_names(std::string_view script);

}  // namespace snl::cli
