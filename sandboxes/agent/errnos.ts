/** Linux error numbers. Every sandbox uses them, whatever the operating system of the host. */
export const errnos = {
  EPERM: 1,
  ENOENT: 2,
  E2BIG: 7,
  ENOEXEC: 8,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EEXIST: 17,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  EMFILE: 24,
  EFBIG: 27,
  ENOSPC: 28,
  EROFS: 30,
  ENAMETOOLONG: 36,
  ELOOP: 40,
  EPROTO: 71,
  ECONNRESET: 104,
  ECONNREFUSED: 111,
  EDQUOT: 122,
} as const;

export function errorName(errno: number): string {
  return Object.entries(errnos).find(([, number]) => number === errno)?.[0] ?? `errno ${errno}`;
}
