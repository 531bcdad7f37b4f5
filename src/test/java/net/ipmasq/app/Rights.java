package net.ipmasq.app;

/** What the agent's service account may do, and nothing else: the Role that tests run the agent under. */
public final class Rights {
    private Rights() {}

    public static final String YAML = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: cce-ip-masq-agent, namespace: kube-system}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: cce-ip-masq-agent, namespace: kube-system}
            rules:
            - apiGroups: [""]
              resources: [configmaps]
              resourceNames: [cce-ip-masq-agent, cce-ip-masq-agent-profile]
              verbs: [get, list, watch]
            - apiGroups: [events.k8s.io]
              resources: [events]
              verbs: [create, get]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: cce-ip-masq-agent, namespace: kube-system}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: cce-ip-masq-agent}
            subjects: [{kind: ServiceAccount, name: cce-ip-masq-agent, namespace: kube-system}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: cce-ip-masq-agent-node}
            rules:
            - apiGroups: [""]
              resources: [nodes]
              verbs: [get]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: cce-ip-masq-agent-node}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cce-ip-masq-agent-node}
            subjects: [{kind: ServiceAccount, name: cce-ip-masq-agent, namespace: kube-system}]
            """;
}
