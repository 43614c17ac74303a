// A game's turns as a table for spreadsheets and statistics: RFC 4180, in UTF-8.
//
//   turn,player,dice,rolled,from,landed,to,jump,outcome,next
//   1,Ann,6-3,true,1,10,10,,moved,Bob
//
// A row for each turn in force, with the fields of `replay --json`; what is null there is empty.
#pragma once

#include "domain/game.hpp"

#include <span>
#include <string>
#include <string_view>

namespace snl::cli {

/// `text` as a field, quoted where it needs to be. A spreadsheet takes a field that begins with
/// = + - or @ (or one of their full-width forms), with a tab or with a carriage return for a
/// formula, and runs it: such text gets an apostrophe in front, as OWASP advises ("CSV Injection"),
/// and one more if it begins with apostrophes already, so that different names stay different.
std::string csv_field(std::string_view text);

/// The first line, with its end (a carriage return and a line feed, as in all of them).
std::string_view csv_header();

std::string csv_line(const TurnPlayed& turn, std::span<const std::string> players);

}  // namespace snl::cli
