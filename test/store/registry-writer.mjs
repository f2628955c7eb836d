// Appends to the registry of a data directory as fast as it can, from a process of its own, until it is killed.
import { RegistryStore } from '../../dist/src/store/registry-store.js';

const store = new RegistryStore(process.argv[2], null);
for (let sequence = 0; ; sequence++) {
  const entities = Array.from({ length: 20 }, (_, entry) => {
    const id = String((sequence * 7_919 + entry * 104_729) % 2_000);
    return { table: 'sites', id, value: { sequence, name: 'x'.repeat(100) } };
  });
  store.append(sequence, { atMs: sequence, changes: [] }, entities);
  if (sequence === 100) process.stdout.write('writing\n');
}
