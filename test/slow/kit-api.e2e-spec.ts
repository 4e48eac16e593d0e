import { startScript } from '../support/run-process.js';

describe('the declarations of the kit', () => {
  it('the kit exports what the recording of its declarations says', async () => {
    const { code, stderr } = await startScript('kit:api', {}).finished;
    expect([code, stderr]).toEqual([0, '']);
  });
});
