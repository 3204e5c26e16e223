// Reads and writes files of the sandbox for the host, with the rights of the request's user.
#ifndef PALESTRA_FILE_REQUESTS_H
#define PALESTRA_FILE_REQUESTS_H

#include "frames.h"

void begin_reading(uint32_t id, struct reader*);
void begin_writing(uint32_t id, struct reader*);
void write_data(uint32_t id, const uint8_t* bytes, size_t length);
void list_folder(uint32_t id, struct reader*);
void stat_file(uint32_t id, struct reader*);

// Whether files are being read. Each call of `read_more` reads one chunk of every file.
bool is_reading(void);
void read_more(void);

#endif
