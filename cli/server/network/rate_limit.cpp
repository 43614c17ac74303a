#include "rate_limit.hpp"

#include <algorithm>
#include <cmath>

namespace snl::cli {

RateLimit::RateLimit(double most, std::chrono::duration<double> period)
    : most_(most), a_second_(most / period.count()) {}

std::optional<int> RateLimit::take(std::string_view who, Time now) {
  if (most_ <= 0) return std::nullopt;
  const std::lock_guard lock(mutex_);
  Bucket& bucket = bucket_of(who, now);
  if (const auto wait = wait_of(bucket)) return wait;
  bucket.tokens -= 1;
  return std::nullopt;
}

std::optional<int> RateLimit::peek(std::string_view who, Time now) {
  if (most_ <= 0) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return wait_of(bucket_of(who, now));
}

void RateLimit::charge(std::string_view who, double cost, Time now) {
  if (most_ <= 0) return;
  const std::lock_guard lock(mutex_);
  bucket_of(who, now).tokens -= cost;
}

void RateLimit::give_back(std::string_view who, Time now) {
  if (most_ <= 0) return;
  const std::lock_guard lock(mutex_);
  Bucket& bucket = bucket_of(who, now);
  bucket.tokens = std::min(most_, bucket.tokens + 1);
}

std::size_t RateLimit::size() const {
  const std::lock_guard lock(mutex_);
  return buckets_.size();
}

RateLimit::Bucket& RateLimit::bucket_of(std::string_view who, Time now) {
  if (buckets_.size() >= forget_at_) forget_full_ones(now);
  Bucket& bucket = buckets_.try_emplace(std::string(who), most_, now).first->second;
  const std::chrono::duration<double> since = now - bucket.filled;
  if (since.count() > 0) {
    bucket.tokens = std::min(most_, bucket.tokens + since.count() * a_second_);
    bucket.filled = now;
  }
  return bucket;
}

std::optional<int> RateLimit::wait_of(const Bucket& bucket) const {
  if (bucket.tokens >= 1) return std::nullopt;
  return std::max(1, static_cast<int>(std::ceil((1 - bucket.tokens) / a_second_)));
}

void RateLimit::forget_full_ones(Time now) {
  std::erase_if(buckets_, [&](const auto& entry) {
    const std::chrono::duration<double> since = now - entry.second.filled;
    return entry.second.tokens + since.count() * a_second_ >= most_;
  });
  forget_at_ = std::max<std::size_t>(1024, buckets_.size() * 2);
}

bool CountLimit::take(const std::string& who) {
  if (most_ == 0) return true;
  const std::lock_guard lock(mutex_);
  std::size_t& count = counts_[who];
  if (count >= most_) return false;
  ++count;
  return true;
}

void CountLimit::give_back(const std::string& who) {
  if (most_ == 0) return;
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(who);
  if (found != counts_.end() && --found->second == 0) counts_.erase(found);
}

}  // namespace snl::cli
