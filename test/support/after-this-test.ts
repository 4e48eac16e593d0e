type End = () => unknown;

const ends: End[] = [];

/** Ends what a test has started, whether the test passes or not: the last one first. */
export function afterThisTest(end: End): void {
  ends.push(end);
}

async function endAll(): Promise<void> {
  const end = ends.pop();
  if (!end) return;
  try {
    await end();
  } finally {
    await endAll();
  }
}

afterEach(endAll);
