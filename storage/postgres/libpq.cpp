#include "libpq.hpp"

#include "storage/store_error.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace snl::postgres {
namespace {

[[noreturn]] void refuse() {
  const char* const why = dlerror();
  throw StoreError(StoreError::Cause::failed,
                   fmt::format("a store on PostgreSQL needs its client library, libpq.so.5 ({}); "
                               "install it: apt-get install libpq5",
                               why == nullptr ? "it has another form" : why));
}

template <class Function>
void find(void* library, Function& function, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) refuse();
  function = reinterpret_cast<Function>(found);
}

Libpq load() {
  void* const library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse();
  Libpq all{};
  find(library, all.conninfo_parse, "PQconninfoParse");
  find(library, all.conninfo_free, "PQconninfoFree");
  find(library, all.connectdb_params, "PQconnectdbParams");
  find(library, all.connect_start_params, "PQconnectStartParams");
  find(library, all.connect_poll, "PQconnectPoll");
  find(library, all.set_error_verbosity, "PQsetErrorVerbosity");
  find(library, all.connection_needs_password, "PQconnectionNeedsPassword");
  find(library, all.parameter_status, "PQparameterStatus");
  find(library, all.finish, "PQfinish");
  find(library, all.status, "PQstatus");
  find(library, all.socket, "PQsocket");
  find(library, all.host, "PQhost");
  find(library, all.port, "PQport");
  find(library, all.db, "PQdb");
  find(library, all.user, "PQuser");
  find(library, all.error_message, "PQerrorMessage");
  find(library, all.set_notice_receiver, "PQsetNoticeReceiver");
  find(library, all.exec, "PQexec");
  find(library, all.prepare, "PQprepare");
  find(library, all.exec_prepared, "PQexecPrepared");
  find(library, all.send_query, "PQsendQuery");
  find(library, all.send_query_params, "PQsendQueryParams");
  find(library, all.send_query_prepared, "PQsendQueryPrepared");
  find(library, all.enter_pipeline_mode, "PQenterPipelineMode");
  find(library, all.exit_pipeline_mode, "PQexitPipelineMode");
  find(library, all.pipeline_sync, "PQpipelineSync");
  find(library, all.get_result, "PQgetResult");
  find(library, all.consume_input, "PQconsumeInput");
  find(library, all.notifies, "PQnotifies");
  find(library, all.freemem, "PQfreemem");
  find(library, all.clear, "PQclear");
  find(library, all.result_status, "PQresultStatus");
  find(library, all.result_error_field, "PQresultErrorField");
  find(library, all.ntuples, "PQntuples");
  find(library, all.getisnull, "PQgetisnull");
  find(library, all.getvalue, "PQgetvalue");
  find(library, all.getlength, "PQgetlength");
  return all;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq loaded = load();
  return loaded;
}

}  // namespace snl::postgres
