/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Listening UNIX sockets. */
#ifndef HCA_SOCK_H
#define HCA_SOCK_H

/* Listen at @path, replacing an older socket; -1 on failure. */
int sock_listen(const char *path);
int sock_accept(int fd);

#endif /* HCA_SOCK_H */
