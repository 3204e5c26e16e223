/** Ranges of settings that flags share. They stand apart from the settings, whose schemas take long to load. */

export const highestPort = 65_535;

/** Largest number of worker threads. Each thread has its own heap. */
export const mostHosts = 1_024;
