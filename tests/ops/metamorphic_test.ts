import { checkRelations } from "./metamorphic.ts";

checkRelations(100, 1);
