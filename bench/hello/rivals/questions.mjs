/** The traveller's questions. `null` in the list kills this process, as `kill -9` does. */
export const questions = ask(JSON.parse(process.env.HELLO_QUESTIONS));

function* ask(given) {
  for (const question of given) {
    if (question === null) process.kill(process.pid, "SIGKILL");
    yield question;
  }
}
