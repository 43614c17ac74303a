#include "page_contents.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace snl::cli {
namespace {

namespace json = boost::json;

/// The JSON in the script of a class: null if there is none, nothing if there are two or it can't
/// be read.
std::optional<json::value> data_of(std::string_view page, std::string_view name) {
  const auto opening = fmt::format("<script type=\"application/json\" class=\"{}\">", name);
  const std::size_t begin = page.find(opening);
  if (begin == std::string_view::npos) return json::value(nullptr);
  page.remove_prefix(begin + opening.size());
  if (page.contains(opening)) return std::nullopt;
  boost::system::error_code error;
  json::value data = json::parse(page.substr(0, page.find('<')), error);
  if (error) return std::nullopt;
  return data;
}

}  // namespace

bool begins_page(std::string_view text) {
  return text.starts_with("<!doctype html>");
}

std::optional<PageContents> read_page(std::string_view page) {
  const auto log = data_of(page, "export");
  const auto proof = data_of(page, "log-proof");
  if (!begins_page(page) || !log || !log->is_array() || !proof) return std::nullopt;
  PageContents contents;
  for (const json::value& line : log->get_array()) {
    if (!line.is_string()) return std::nullopt;
    contents.log.emplace_back(line.get_string());
  }
  if (proof->is_null()) return contents;
  const json::value* const text =
      proof->is_object() ? proof->get_object().if_contains("proof") : nullptr;
  if (text == nullptr || !text->is_string()) return std::nullopt;
  contents.proof = std::string(text->get_string());
  return contents;
}

}  // namespace snl::cli
