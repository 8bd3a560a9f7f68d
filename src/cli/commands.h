// SPDX-License-Identifier: Apache-2.0
// The commands of `parseval`, as main.c sees them.
#ifndef PV_CLI_COMMANDS_H
#define PV_CLI_COMMANDS_H

// What pv_cmd_launch returns beside a pv_status where its program cannot be started: exit statuses as a shell's.
enum { PV_CMD_NOT_STARTED = 126, PV_CMD_NOT_FOUND = 127 };

// argv[0] is the command's name. Each returns a pv_status: PV_OK, or that of a failure whose text is in
// pv_last_error(); main.c lets one rank report it and makes the exit status. A command that runs on several ranks
// fails on all of them (pv_comm_agree), never ends the process, and prints only where pv_rank_speaks().
int pv_cmd_fft(int argc, char **argv);
int pv_cmd_info(int argc, char **argv);
int pv_cmd_dft(int argc, char **argv);
int pv_cmd_dns(int argc, char **argv);
int pv_cmd_plan(int argc, char **argv);
int pv_cmd_scale(int argc, char **argv);
int pv_cmd_supercell(int argc, char **argv);
// Before MPI, on every rank: it becomes another program.
int pv_cmd_launch(int argc, char **argv);

#endif
