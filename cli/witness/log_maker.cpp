#include "log_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stop_token>

namespace snl::cli {

using transparency::Contradiction;
using transparency::LogReader;
using transparency::LogStore;
using transparency::Policy;
using transparency::PolicyKey;
using transparency::StoredLog;
using transparency::TreeSize;

namespace {

constexpr std::chrono::minutes between_reminders{1};

/// Without a policy, no witness is asked, and each signed checkpoint is published.
Policy policy_of(const LogMakerSettings& settings) {
  return settings.policy ? *settings.policy : Policy::parse("quorum none\n").value();
}

}  // namespace

LogMaker::LogMaker(std::unique_ptr<StoreAdmin> store, LogMakerSettings settings)
    : store_(std::move(store)), settings_(std::move(settings)) {
  settings_.policy = policy_of(settings_);
  waits_.resize(settings_.policy->witnesses().size());
  silences_.resize(waits_.size());
  sign(ReadFirst::commits);
}

LogMaker::~LogMaker() {
  thread_.request_stop();
  wake_.notify_all();
}

void LogMaker::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

std::optional<std::string> LogMaker::why_ended() const {
  const std::lock_guard lock(mutex_);
  return why_ended_;
}

bool LogMaker::is_contradicted() const {
  const std::lock_guard lock(mutex_);
  return is_contradicted_;
}

void LogMaker::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    try {
      if (const auto why = why_ended())
        report_each_minute(*why);
      else
        sign_and_ask(stop);
    } catch (const Contradiction& error) {
      {
        const std::lock_guard lock(mutex_);
        is_contradicted_ = true;
      }
      end(error.what());
    } catch (const transparency::NameTaken& error) {
      end(error.what());
    } catch (const std::exception& error) {
      // A full disk, or a missing key: the next round tries again.
      report_each_minute(fmt::format("the log can't be signed: {}", error.what()));
    }
    const auto until = next_round();
    std::unique_lock lock(mutex_);
    wake_.wait_until(lock, stop, until, [] { return false; });
  }
}

void LogMaker::end(std::string_view why) {
  {
    const std::lock_guard lock(mutex_);
    why_ended_ = fmt::format("the log is signed no more: {}; keep the store as it is", why);
  }
  report_each_minute(*why_ended());
}

void LogMaker::report_each_minute(const std::string& what) {
  const auto now = Clock::now();
  if (what == last_report_ && now < reported_at_ + between_reminders) return;
  last_report_ = what;
  reported_at_ = now;
  settings_.report(what);
}

LogMaker::Clock::time_point LogMaker::next_round() const {
  if (why_ended()) return reported_at_ + between_reminders;
  auto next = next_signing_;
  const auto& witnesses = settings_.policy->witnesses();
  for (std::size_t i = 0; i < waits_.size(); ++i)
    if (waits_[i].has_failed() && is_to_ask(witnesses[i])) next = std::min(next, waits_[i].due());
  return std::max(next, Clock::now() + std::chrono::milliseconds(100));
}

void LogMaker::sign_and_ask(const std::stop_token& stop) {
  if (Clock::now() >= next_signing_) {
    next_signing_ = Clock::now() + settings_.every;
    sign_if_changed();
  }
  ask_witnesses(stop);
}

/// Takes the key only if there is something to sign, or if this is another store than before.
void LogMaker::sign_if_changed() {
  TreeSize size = 0;
  StoredLog log;
  try {
    store_->read_log([&](LogReader& reader) {
      size = reader.size();
      log = transparency::verified_log(reader).value_or(StoredLog{});
    });
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return sign();  // nodes that are wrong are made anew
  }
  const bool is_known = log.last_signed && log.last_signed->checkpoint == newest_.checkpoint;
  if (size != newest_.checkpoint.size || (size > 0 && !is_known)) return sign();
  // Cosignatures may have been added by hand.
  const auto is_added = [&](const PolicyKey& witness) {
    return has_cosigned(witness, *log.last_signed) && !has_cosigned(witness, newest_);
  };
  if (is_known && std::ranges::any_of(settings_.policy->witnesses(), is_added)) return publish();
  note_published(log.published ? log.published->checkpoint.size : 0);
}

void LogMaker::sign(ReadFirst first) {
  next_signing_ = Clock::now() + settings_.every;
  SignedNow now = sign_all(*store_, settings_.key_file, first);
  if (!now.ended.empty())
    settings_.report(fmt::format("the log {} of this store has ended; its log is {} now", now.ended,
                                 now.checkpoint.checkpoint.origin));
  newest_ = std::move(now.checkpoint);
  {
    const std::lock_guard lock(mutex_);
    signed_size_ = newest_.checkpoint.size;
  }
  if (newest_.checkpoint.size > 0) publish();
}

/// Whether the newest checkpoint still lacks its cosignature.
bool LogMaker::is_to_ask(const PolicyKey& witness) const {
  return newest_.checkpoint.size > 0 && !witness.url.empty() && !has_cosigned(witness, newest_);
}

void LogMaker::ask_witnesses(const std::stop_token& stop) {
  const auto& witnesses = settings_.policy->witnesses();
  std::optional<Contradiction> contradiction;
  for (std::size_t i = 0; i < witnesses.size() && !stop.stop_requested(); ++i) {
    const PolicyKey& witness = witnesses[i];
    if (!is_to_ask(witness) || Clock::now() < waits_[i].due()) continue;
    const Asked asked = ask_to_cosign(*store_, *settings_.policy, witness, newest_, stop);
    if (stop.stop_requested()) return;
    {
      const std::lock_guard lock(mutex_);
      ++responses_[{witness.key.name, asked.status}];
    }
    if (asked.contradiction) contradiction = asked.contradiction;
    if (asked.silence.empty()) {
      waits_[i].cosigned();
      publish();
    } else {
      waits_[i].failed(Clock::now());
      if (!asked.contradiction && asked.silence != silences_[i])
        settings_.report(
            fmt::format("witness {} ({}): {}", witness.name, witness.url, asked.silence));
    }
    silences_[i] = asked.silence;
  }
  if (contradiction) throw Contradiction(*contradiction);
}

void LogMaker::publish() {
  transparency::Publication now;
  store_->write_log([&](LogStore& log) {
    now = transparency::publish_checkpoint(log, newest_, *settings_.policy, seconds_now());
  });
  newest_ = std::move(now.checkpoint);
  if (now.is_published) note_published(newest_.checkpoint.size);
}

void LogMaker::note_published(TreeSize size) {
  const std::lock_guard lock(mutex_);
  if (size == published_size_) return;
  published_size_ = size;
  published_at_ = Clock::now();
}

std::string LogMaker::metrics() const {
  const std::lock_guard lock(mutex_);
  const double age = published_size_ == 0
                         ? 0
                         : std::chrono::duration<double>(Clock::now() - published_at_).count();
  std::string text = fmt::format(
      "# HELP snl_log_size Commits in the last signed checkpoint.\n"
      "# TYPE snl_log_size gauge\nsnl_log_size {}\n"
      "# HELP snl_log_published_size Commits in the published checkpoint.\n"
      "# TYPE snl_log_published_size gauge\nsnl_log_published_size {}\n"
      "# HELP snl_log_checkpoint_age_seconds Seconds since this process first saw the published "
      "checkpoint.\n"
      "# TYPE snl_log_checkpoint_age_seconds gauge\nsnl_log_checkpoint_age_seconds {:.3f}\n"
      "# HELP snl_witness_answers_total Responses of witnesses; status 0: no response.\n"
      "# TYPE snl_witness_answers_total counter\n",
      signed_size_, published_size_, age);
  for (const auto& [who, count] : responses_)
    text += fmt::format("snl_witness_answers_total{{name=\"{}\",status=\"{}\"}} {}\n", who.first,
                        who.second, count);
  return text;
}

}  // namespace snl::cli
