import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { RatesFileError, readRates } from './read-rates.js';

const read = (text: string) => readRates(Buffer.from(text));

/** A zip with one file, as `zip` writes it. */
function zip(name: string, content: Buffer, claimedSize = content.length): Buffer {
  const packed = deflateRawSync(content);
  const shared = Buffer.alloc(26);
  [20, 0, 8, 0, 0x5d7d].forEach((value, index) => shared.writeUInt16LE(value, index * 2));
  [crc32(content), packed.length, claimedSize].forEach((value, index) => shared.writeUInt32LE(value, 10 + index * 4));
  shared.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, Buffer.from(name), packed]);
  const central = Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), shared, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  [1, 1].forEach((value, index) => end.writeUInt16LE(value, 8 + index * 2));
  [central.length, local.length].forEach((value, index) => end.writeUInt32LE(value, 12 + index * 4));
  return Buffer.concat([local, central, end]);
}

/** As the European Central Bank writes it: newest first, with a comma at the end of each line. */
const HISTORY = [
  'Date,USD,JPY,BGN,EEK,RUB,HRK,ISK,',
  '2026-02-05,1.0812,168.10,N/A,N/A,N/A,N/A,143.30,',
  '2026-02-04,1.0800,168.03,N/A,N/A,N/A,N/A,N/A,',
  '2009-06-30,1.4134,135.51,1.9558,15.6466,43.8810,7.2850,N/A,',
  '',
].join('\r\n');

describe('readRates', () => {
  it('the history of the central bank is read oldest first, without what has no rate', async () => {
    const expected = [
      {
        date: '2009-06-30',
        rates: { USD: '1.4134', JPY: '135.51', BGN: '1.9558', EEK: '15.6466', RUB: '43.8810', HRK: '7.2850' },
      },
      { date: '2026-02-04', rates: { USD: '1.0800', JPY: '168.03' } },
      { date: '2026-02-05', rates: { USD: '1.0812', JPY: '168.10', ISK: '143.30' } },
    ];
    expect(await read(HISTORY)).toEqual(expected);
    expect(await read(`\ufeff${HISTORY}`)).toEqual(expected);
    expect(await readRates(zip('eurofxref-hist.csv', Buffer.from(HISTORY)))).toEqual(expected);
  });

  it('columns are known by their names, wherever they are, and those of no currency are passed over', async () => {
    expect(await read('Date,ZAR,Remark,USD\n2026-02-04,20.1,"late, as ever",1.08\n')).toEqual([
      { date: '2026-02-04', rates: { ZAR: '20.1', USD: '1.08' } },
    ]);
  });

  it('the file of one day says its date in words and has blanks after its commas', async () => {
    expect(await read('Date, USD, JPY, \n28 November 2026, 1.0562, 159.00, \n')).toEqual([
      { date: '2026-11-28', rates: { USD: '1.0562', JPY: '159.00' } },
    ]);
  });

  it('a line that ends early has no rates in its last columns', async () => {
    expect(await read('Date,USD,JPY\n2026-02-04,1.08\n')).toEqual([{ date: '2026-02-04', rates: { USD: '1.08' } }]);
  });

  it.each([
    ['', 'must begin with a line of names, the first of them Date'],
    ['<!doctype html><title>Down</title>', 'must begin with a line of names, the first of them Date'],
    ['Date,USD\n', 'has no day'],
    ['Date,USD\n2026-02-30,1.08\n', 'has no date in line 2: 2026-02-30'],
    ['Date,USD\n30 February 2026,1.08\n', 'has no date in line 2: 30 February 2026'],
    ['Date,USD\n2026-02-04,1.08\n2026-02-03,"1,08"\n', 'has no rate of USD in line 3: 1,08'],
    ['Date,USD\n2026-02-04,0.000\n', 'has no rate of USD in line 2: 0.000'],
    ['Date,USD\n2026-02-04,-1.08\n', 'has no rate of USD in line 2: -1.08'],
    ['Date,USD\n2026-02-04,1e3\n', 'has no rate of USD in line 2: 1e3'],
    ['Date,USD\n2026-02-04,"1.08\n', expect.stringContaining('is no CSV')],
  ])('the file %j is refused as a whole with a sentence', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({ name: 'RatesFileError', message });
  });

  it('a zip is refused that has no CSV, is cut off, or unpacks to more than a history can have', async () => {
    const csv = Buffer.from(HISTORY);
    const refused = (file: Buffer) => expect(readRates(file)).rejects;
    await refused(zip('eurofxref-hist.xml', csv)).toMatchObject({ message: 'is a zip without a CSV' });
    await refused(zip('a.csv', csv).subarray(0, 100)).toMatchObject({
      message: expect.stringContaining('cannot be read'),
    });
    await refused(zip('a.csv', csv, 17 * 1024 * 1024)).toMatchObject({ message: 'is larger than 16 MiB' });
    await refused(zip('a.csv', Buffer.alloc(1024 * 1024), 1024)).toMatchObject({
      message: expect.stringContaining('cannot be read'),
    });
  });

  it('a damaged file gives rates or a sentence, and never another error', async () => {
    const files = [Buffer.from(HISTORY), zip('eurofxref-hist.csv', Buffer.from(HISTORY))];
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
    const damaged = fc.asyncProperty(fc.constantFrom(...files), edits, fc.nat(), async (file, bytes, length) => {
      const copy = Buffer.from(file.subarray(0, file.length - (length % 20)));
      for (const [at, byte] of bytes) copy[at % copy.length] = byte;
      const outcome = await readRates(copy).catch((error: unknown) => error);
      expect(Array.isArray(outcome) || outcome instanceof RatesFileError).toBe(true);
    });
    await fc.assert(damaged);
  });
});
