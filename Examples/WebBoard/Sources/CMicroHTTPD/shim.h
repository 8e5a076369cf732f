#pragma once
#include <microhttpd.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Swift can't call functions with variable arguments. */

/* The limits of a server. */
struct http_limits {
  unsigned int threads;
  unsigned int connections;
  unsigned int connections_of_one_address;
  unsigned int idle_seconds;
  size_t header_bytes;
};

/* Leaves percent signs as they are: they are decoded where a wrong one can be refused. */
static inline size_t http_keep_escapes(
    void *_Nullable context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return __builtin_strlen(text);
}

/* Starts a server on an IPv4 address, or returns NULL; `errno` says why. */
static inline struct MHD_Daemon *http_start(
    const struct sockaddr_in *address, const struct http_limits *limits,
    MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connected, void *_Nullable context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, context,
      MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)address,
      MHD_OPTION_THREAD_POOL_SIZE, limits->threads,
      MHD_OPTION_CONNECTION_LIMIT, limits->connections,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits->connections_of_one_address,
      MHD_OPTION_CONNECTION_TIMEOUT, limits->idle_seconds,
      /* The library needs room beside the headers for what it notes of each. */
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, 8 * limits->header_bytes,
      MHD_OPTION_UNESCAPE_CALLBACK, http_keep_escapes, NULL,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connected, context,
      MHD_OPTION_STRICT_FOR_CLIENT, 0, MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u,
      MHD_OPTION_END);
}

/* The port that a server listens on. */
static inline uint16_t http_port(struct MHD_Daemon *server) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/* The socket of a connection, or -1. */
static inline int http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
