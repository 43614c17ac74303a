// libpq, PostgreSQL's own client library: loaded when the first store on PostgreSQL is opened,
// since with all that it brings along it would take a short command several times as long to start.
#pragma once

#include <libpq-fe.h>

namespace snl::postgres {

/// The functions of libpq that are called, by their names there.
struct Libpq {
  decltype(&::PQconninfoParse) conninfo_parse;
  decltype(&::PQconninfoFree) conninfo_free;
  decltype(&::PQconnectdbParams) connectdb_params;
  decltype(&::PQconnectStartParams) connect_start_params;
  decltype(&::PQconnectPoll) connect_poll;
  decltype(&::PQsetErrorVerbosity) set_error_verbosity;
  decltype(&::PQconnectionNeedsPassword) connection_needs_password;
  decltype(&::PQparameterStatus) parameter_status;
  decltype(&::PQfinish) finish;
  decltype(&::PQstatus) status;
  decltype(&::PQsocket) socket;
  decltype(&::PQhost) host;
  decltype(&::PQport) port;
  decltype(&::PQdb) db;
  decltype(&::PQuser) user;
  decltype(&::PQerrorMessage) error_message;
  decltype(&::PQsetNoticeReceiver) set_notice_receiver;
  decltype(&::PQexec) exec;
  decltype(&::PQprepare) prepare;
  decltype(&::PQexecPrepared) exec_prepared;
  decltype(&::PQsendQuery) send_query;
  decltype(&::PQsendQueryParams) send_query_params;
  decltype(&::PQsendQueryPrepared) send_query_prepared;
  decltype(&::PQenterPipelineMode) enter_pipeline_mode;
  decltype(&::PQexitPipelineMode) exit_pipeline_mode;
  decltype(&::PQpipelineSync) pipeline_sync;
  decltype(&::PQgetResult) get_result;
  decltype(&::PQconsumeInput) consume_input;
  decltype(&::PQnotifies) notifies;
  decltype(&::PQfreemem) freemem;
  decltype(&::PQclear) clear;
  decltype(&::PQresultStatus) result_status;
  decltype(&::PQresultErrorField) result_error_field;
  decltype(&::PQntuples) ntuples;
  decltype(&::PQgetisnull) getisnull;
  decltype(&::PQgetvalue) getvalue;
  decltype(&::PQgetlength) getlength;
};

/// Throws StoreError where it isn't installed.
const Libpq& libpq();

}  // namespace snl::postgres
