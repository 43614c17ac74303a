#include "log_report.hpp"

#include "domain/wording.hpp"
#include "storage/time.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace snl::cli {
namespace {

/// The time to the second, as cosignatures have it.
std::string time_of(const transparency::Cosigner& cosigner) {
  constexpr UnixMilliseconds second = 1000;
  constexpr std::size_t up_to_seconds = 19;
  if (cosigner.time > max_time / second) return fmt::format("second {}", cosigner.time);
  return format_time(cosigner.time * second).substr(0, up_to_seconds) + "Z";
}

}  // namespace

std::string words_on_witnesses(const std::vector<transparency::Cosigner>& witnesses,
                               bool is_reached) {
  std::string text;
  for (const transparency::Cosigner& witness : witnesses)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", witness.name, time_of(witness));
  if (text.empty() && is_reached)
    return "the policy asks for none; whoever has the key could have signed another log too";
  return fmt::format("{}; the quorum is {}", text.empty() ? "none" : text,
                     is_reached ? "reached" : "not reached");
}

std::vector<LabelledLine> lines_on_log(const std::optional<transparency::LogAudit>& log) {
  if (!log)
    return {{"Log",
             "none; whoever may write the store could have made all of it anew, unless you kept a "
             "head"}};
  std::vector<LabelledLine> lines;
  if (log->held)
    lines.push_back(
        {"Log",
         fmt::format("{} signed {}; the store holds them unchanged{}", log->origin,
                     counted(static_cast<std::int64_t>(log->size), "commit"),
                     log->later > 0 ? fmt::format(", and {} that came after", log->later) : "")});
  lines.push_back({"Witnesses", log->quorum
                                    ? words_on_witnesses(log->witnesses, *log->quorum)
                                    : "not asked (--policy); whoever has the key could have "
                                      "signed another log too"});
  return lines;
}

}  // namespace snl::cli
