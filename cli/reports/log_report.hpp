// The report on a store's log.
#pragma once

#include "storage/transparency/log_audit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace snl::cli {

struct LabelledLine {
  std::string label;  // a word with a capital
  std::string words;
};

/// Says which witnesses saw a checkpoint and when, or that the policy asks for none:
/// "school.example/witness 2026-11-25T13:23:20Z; the quorum is reached".
std::string words_on_witnesses(const std::vector<transparency::Cosigner>& witnesses,
                               bool is_reached);

/// The lines on a store's log in the audit of a whole store, with a log or without one.
std::vector<LabelledLine> lines_on_log(const std::optional<transparency::LogAudit>& log);

}  // namespace snl::cli
