/**
 * MSFT_lod for the glTF library: a node that names its lower levels of detail.
 *
 * @module
 */
import {
  Extension,
  ExtensionProperty,
  type IProperty,
  type Node,
  type Nullable,
  PropertyType,
  type ReaderContext,
  RefList,
  type WriterContext,
} from "@gltf-transform/core";

const NAME = "MSFT_lod";

interface ILevels extends IProperty {
  levels: RefList<Node>;
}

/** The lower levels of detail of one node, finest first. */
export class Levels extends ExtensionProperty<ILevels> {
  static override EXTENSION_NAME: string = NAME;
  declare extensionName: string;
  declare propertyType: string;
  declare parentTypes: string[];

  protected override init(): void {
    this.extensionName = NAME;
    this.propertyType = "Levels";
    this.parentTypes = [PropertyType.NODE];
  }

  protected override getDefaults(): Nullable<ILevels> {
    return Object.assign(super.getDefaults() as ILevels, {
      levels: new RefList<Node>(),
    });
  }

  /** Appends a level. */
  addLevel(node: Node): this {
    return this.addRef("levels", node);
  }

  /** Level 1 and on. */
  listLevels(): Node[] {
    return this.listRefs("levels");
  }
}

/** The extension. */
export class MsftLod extends Extension {
  static override EXTENSION_NAME: string = NAME;
  override readonly extensionName: string = NAME;

  /** Makes an empty list of levels. */
  createLevels(): Levels {
    return new Levels(this.document.getGraph());
  }

  /** Attaches the levels that the JSON names. */
  override read(context: ReaderContext): this {
    const defs = context.jsonDoc.json.nodes ?? [];
    defs.forEach((def, i) => {
      const data = def.extensions?.[NAME] as { ids?: number[] } | undefined;
      if (!data?.ids) return;
      const levels = this.createLevels();
      for (const id of data.ids) levels.addLevel(context.nodes[id]);
      context.nodes[i].setExtension(NAME, levels);
    });
    return this;
  }

  /** Names the levels in the JSON. */
  override write(context: WriterContext): this {
    for (const node of this.document.getRoot().listNodes()) {
      const levels = node.getExtension<Levels>(NAME);
      if (!levels) continue;
      const def = context.jsonDoc.json.nodes![context.nodeIndexMap.get(node)!];
      def.extensions ??= {};
      def.extensions[NAME] = {
        ids: levels.listLevels().map((n) => context.nodeIndexMap.get(n)!),
      };
    }
    return this;
  }
}
