/** Names of variables that programs need on every machine, and that hold no secret. */
const usual = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP"],
  ...["NODE_ENV", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "DOCKER_HOST", "DISPLAY"],
  ...["PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "JAVA_HOME"],
];
const usualPrefixes = ["LC_", "XDG_"];

/**
 * Returns the environment variables for a process that runs a user's program. Other variables of the gym's process may hold
 * secrets, such as keys of model servers.
 *
 * @param passed names of further variables
 */
export function usualVariables(passed: readonly string[] = []): NodeJS.ProcessEnv {
  const isGiven = (name: string) =>
    usual.includes(name) || passed.includes(name) || usualPrefixes.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isGiven(name)));
}
