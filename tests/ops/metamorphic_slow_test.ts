import { checkRelations } from "./metamorphic.ts";

checkRelations(1000, 1_000_000);
