package net.ipmasq.bench;

import net.ipmasq.dataplane.iptables.Parser;
import net.ipmasq.dataplane.iptables.Renderer;
import net.ipmasq.lab.NetNs;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;

/** The agent's texts for iptables, and the tools of one variant. */
record IptablesFlows(String name, NetNs node) implements FlowBackend {
    private String tool(String suffix) {
        return name + suffix;
    }

    @Override
    public void empty() {
        node.sh("%1$s -t nat -F; %1$s -t nat -X".formatted(tool("")));
    }

    @Override
    public String load(FamilyRules rules) {
        return Renderer.render(rules);
    }

    /** As the agent does it: against what the kernel shows. */
    @Override
    public String update(FamilyRules loaded, FamilyRules desired) {
        String save = node.run(tool("-save"), "-t", "nat");
        return switch (Parser.parse(save, IpFamily.IPV4, desired.chain())) {
            case Parser.Understood understood -> Renderer.restore(desired, understood.chain());
            case Parser.NotUnderstood not -> throw new IllegalStateException(not.why());
        };
    }

    @Override
    public void write(String text) {
        node.runWith(text, tool("-restore"), "--noflush");
    }
}
