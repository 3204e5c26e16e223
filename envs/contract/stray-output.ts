/** Keeps standard output for documents and logs of the gym while code of an environment runs in its process. */

let running = 0;
let write = process.stdout.write;

/** Sends to standard error what any code writes to standard output while `use` runs, such as `console.log`. */
export async function withStrayOutput<T>(use: () => Promise<T>): Promise<T> {
  if (running === 0) {
    write = process.stdout.write;
    process.stdout.write = process.stderr.write.bind(process.stderr) as typeof write;
  }
  running += 1;
  try {
    return await use();
  } finally {
    running -= 1;
    if (running === 0) process.stdout.write = write;
  }
}
