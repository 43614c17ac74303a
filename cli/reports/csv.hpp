// Tables for spreadsheets and statistics: RFC 4180, in UTF-8, with a header and one line per row.
//
// A table of turns has a row for each turn in force, with the fields of `replay --json`:
//
//   turn,player,dice,rolled,from,landed,to,jump,outcome,next
//   1,Ann,6-3,true,1,10,10,,moved,Bob
#pragma once

#include "domain/game.hpp"

#include <boost/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

using CsvColumns = std::vector<std::string>;

/// A table's first line with its end, which is a carriage return and a line feed, as in all lines.
std::string csv_header(const CsvColumns& columns);

/// A line of the members with these names; numbers are as --json prints them. A member that is null
/// or missing is an empty field. A member of a member is called OUTER_INNER, the parts of a list
/// LIST_1, LIST_2 …
std::string csv_row(const CsvColumns& columns, const boost::json::object& values);

/// Adds the names of `count` parts of a list, from LIST_1 on.
void add_list(CsvColumns& columns, std::string_view list, std::size_t count);

/// The first columns of every table of turns.
CsvColumns turn_columns();
boost::json::object turn_values(const TurnPlayed& turn, std::span<const std::string> players);

}  // namespace snl::cli
