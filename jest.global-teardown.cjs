// Ends the process of jest.global-setup.cjs, and with it Postgres, Redis and applications that a test left running.
module.exports = async () => {
  const child = globalThis.perdureTestServices;
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  await ended;
};
