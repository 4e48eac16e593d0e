import { type Drill, judge } from './drill.js';
import { tally } from './harness/http.js';
import { Person } from './harness/person.js';

export const drill: Drill = {
  name: 'stack-traces',
  expectation: 'The log keeps the path of every frame of a stack, those of scoped packages included.',
  sentence: 15,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    // An error that nobody has foreseen: its stack goes through the framework.
    await (await postgres.connect()).query('alter table holdings rename to holdings_elsewhere');
    const answer = await person.get('/api/v1/holdings');
    const stacks = service.logLines.flatMap(({ stack }) => (typeof stack === 'string' ? [stack] : []));
    const frames = stacks.flatMap((stack) => stack.split('\n').filter((line) => /^\s+at /.test(line)));
    const cut = frames.filter((frame) => frame.includes('[secret]')).length;
    const scoped = frames.filter((frame) => /\/@[\w-]+/.test(frame)).length;
    const figure = `${tally([answer])}; ${frames.length} frames, ${scoped} of scoped packages, ${cut} without their path`;
    return judge(figure, {
      'there is a stack': frames.length > 0,
      'no path is cut': cut === 0,
      'scoped ones': scoped > 0,
    });
  },
};
