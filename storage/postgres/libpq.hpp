// libpq, PostgreSQL's own client library. It is loaded when the first store on PostgreSQL is
// opened: with libpq and all that it needs, a short command takes several times as long to start.
#pragma once

#include <libpq-fe.h>

namespace snl::postgres {

/// A function of the library, converted to any function type. Throws StoreError if there is none of
/// this name.
struct Symbol {
  const char* name;
  template <class Function>
  operator Function*() const {  // NOLINT(*-explicit-*): so that a name is enough
    return reinterpret_cast<Function*>(address());
  }

 private:
  void* address() const;
};

/// The functions of libpq that are called, by their names there.
struct Libpq {
  decltype(&::PQconninfoParse) conninfo_parse = Symbol{"PQconninfoParse"};
  decltype(&::PQconninfoFree) conninfo_free = Symbol{"PQconninfoFree"};
  decltype(&::PQconnectdbParams) connectdb_params = Symbol{"PQconnectdbParams"};
  decltype(&::PQconnectStartParams) connect_start_params = Symbol{"PQconnectStartParams"};
  decltype(&::PQconnectPoll) connect_poll = Symbol{"PQconnectPoll"};
  decltype(&::PQsetErrorVerbosity) set_error_verbosity = Symbol{"PQsetErrorVerbosity"};
  decltype(&::PQconnectionNeedsPassword) connection_needs_password =
      Symbol{"PQconnectionNeedsPassword"};
  decltype(&::PQparameterStatus) parameter_status = Symbol{"PQparameterStatus"};
  decltype(&::PQfinish) finish = Symbol{"PQfinish"};
  decltype(&::PQstatus) status = Symbol{"PQstatus"};
  decltype(&::PQsocket) socket = Symbol{"PQsocket"};
  decltype(&::PQhost) host = Symbol{"PQhost"};
  decltype(&::PQport) port = Symbol{"PQport"};
  decltype(&::PQdb) db = Symbol{"PQdb"};
  decltype(&::PQuser) user = Symbol{"PQuser"};
  decltype(&::PQerrorMessage) error_message = Symbol{"PQerrorMessage"};
  decltype(&::PQsetNoticeReceiver) set_notice_receiver = Symbol{"PQsetNoticeReceiver"};
  decltype(&::PQexec) exec = Symbol{"PQexec"};
  decltype(&::PQprepare) prepare = Symbol{"PQprepare"};
  decltype(&::PQexecPrepared) exec_prepared = Symbol{"PQexecPrepared"};
  decltype(&::PQsendQuery) send_query = Symbol{"PQsendQuery"};
  decltype(&::PQsendQueryPrepared) send_query_prepared = Symbol{"PQsendQueryPrepared"};
  decltype(&::PQenterPipelineMode) enter_pipeline_mode = Symbol{"PQenterPipelineMode"};
  decltype(&::PQexitPipelineMode) exit_pipeline_mode = Symbol{"PQexitPipelineMode"};
  decltype(&::PQpipelineSync) pipeline_sync = Symbol{"PQpipelineSync"};
  decltype(&::PQgetResult) get_result = Symbol{"PQgetResult"};
  decltype(&::PQconsumeInput) consume_input = Symbol{"PQconsumeInput"};
  decltype(&::PQnotifies) notifies = Symbol{"PQnotifies"};
  decltype(&::PQfreemem) freemem = Symbol{"PQfreemem"};
  decltype(&::PQclear) clear = Symbol{"PQclear"};
  decltype(&::PQresultStatus) result_status = Symbol{"PQresultStatus"};
  decltype(&::PQresultErrorField) result_error_field = Symbol{"PQresultErrorField"};
  decltype(&::PQntuples) ntuples = Symbol{"PQntuples"};
  decltype(&::PQgetisnull) getisnull = Symbol{"PQgetisnull"};
  decltype(&::PQgetvalue) getvalue = Symbol{"PQgetvalue"};
  decltype(&::PQgetlength) getlength = Symbol{"PQgetlength"};
};

/// Throws StoreError if it isn't installed.
const Libpq& libpq();

}  // namespace snl::postgres
