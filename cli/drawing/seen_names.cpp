#include "seen_names.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>

namespace snl::cli {
namespace {

struct Free {
  void operator()(utf8proc_uint8_t* bytes) const { std::free(bytes); }  // utf8proc's malloc
};

bool is_blank(utf8proc_int32_t character) {
  constexpr utf8proc_int32_t empty_braille = 0x2800;
  return utf8proc_category(character) == UTF8PROC_CATEGORY_ZS || character == empty_braille;
}

bool is_unseen(utf8proc_int32_t character) {
  return utf8proc_get_property(character)->ignorable != 0 ||
         utf8proc_category(character) == UTF8PROC_CATEGORY_CF;
}

/// One blank for any run of blanks, and none at the ends; invisible characters are left out.
std::string without_unseen(std::string_view text) {
  std::string seen;
  bool after_blank = false;
  while (!text.empty()) {
    utf8proc_int32_t character = 0;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                         static_cast<utf8proc_ssize_t>(text.size()), &character);
    if (length < 1) return seen + std::string(text);
    const std::string_view bytes = text.substr(0, static_cast<std::size_t>(length));
    text.remove_prefix(bytes.size());
    if (is_unseen(character)) continue;
    if (is_blank(character)) {
      after_blank = true;
      continue;
    }
    if (after_blank && !seen.empty()) seen += ' ';
    after_blank = false;
    seen += bytes;
  }
  return seen;
}

}  // namespace

std::string as_seen(std::string_view name) {
  // Invisible characters go first: one may stand between a letter and its mark.
  const std::string seen = without_unseen(name);
  utf8proc_uint8_t* composed = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(seen.data()),
                   static_cast<utf8proc_ssize_t>(seen.size()), &composed,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, Free> owned(composed);
  if (length < 0) return std::string(name);
  return {reinterpret_cast<const char*>(composed), static_cast<std::size_t>(length)};
}

std::vector<std::string> faults_of_looks(std::span<const std::string> names) {
  std::vector<std::string> faults;
  std::unordered_map<std::string, std::string_view> first_with;  // by the name as it is seen
  for (const std::string& name : names) {
    const std::string seen = as_seen(name);
    const auto [first, is_new] = first_with.try_emplace(seen, name);
    if (!is_new && first->second != name)
      faults.push_back(
          fmt::format("players \"{}\" and \"{}\": their names look the same", first->second, name));
  }
  return faults;
}

}  // namespace snl::cli
