// Addresses: of a server that listens, of its clients, and of hosts that it answers for.
#pragma once

#include <boost/asio/ip/address.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {

using IpAddress = boost::asio::ip::address;

/// HOST:PORT. An IPv6 address stands in brackets.
struct HostAndPort {
  std::string host;  // without brackets
  std::uint16_t port = 0;
};
std::optional<HostAndPort> parse_host_and_port(std::string_view text);

/// "127.0.0.1:8080", "[::1]:8080".
std::string to_text(const IpAddress& address, std::uint16_t port);

/// An address, or as many of its first bits as belong to a network: 10.0.0.0/8, ::1.
class Network {
 public:
  /// None for anything else, and if bits after the network's aren't 0.
  static std::optional<Network> parse(std::string_view text);
  bool contains(const IpAddress& address) const;

 private:
  Network(IpAddress address, unsigned bits) : address_(std::move(address)), bits_(bits) {}
  IpAddress address_;  // IPv4 as itself
  unsigned bits_;
};

/// IPv4 as itself if it comes as IPv6 (::ffff:10.0.0.1).
IpAddress plain(const IpAddress& address);

/// The sender's address: the peer, or behind trusted proxies the last address of X-Forwarded-For
/// (all of its values, joined with commas) that isn't such a proxy. None if a trusted proxy passed
/// on a text that is no address: nobody knows the sender.
std::optional<IpAddress> client_address(const IpAddress& peer, std::string_view forwarded_for,
                                        std::span<const Network> trusted);

/// The addresses by which other machines of a network may reach this one: IPv4, without loopback
/// addresses. Empty if nobody can tell.
std::vector<IpAddress> addresses_of_this_machine();

/// The name under which limits count an address. An IPv6 address counts as its network of 64 bits,
/// since one subscriber has all of that.
std::string counted_as(const IpAddress& address);

/// The address by which people reach the server: http or https, a host, maybe a port; no path.
struct PublicUrl {
  std::string text;  // without a slash at its end
  std::string host;  // lower case, without brackets and port
  static std::optional<PublicUrl> parse(std::string_view text);
};

/// Whether a request with this Host is meant for this server: an IP address, localhost, or the
/// public URL's host, with any port. The owner of another name can make it lead here; this tells a
/// page of that name from one of ours.
bool is_our_host(std::string_view host, const std::optional<PublicUrl>& ours);

}  // namespace snl::cli
